// Runs in a thread of its own: compiling a grammar takes a quarter of a second, and keys must not wait for it.
import { parentPort } from 'node:worker_threads';
import { createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { scopeTheme, tokenOfColor } from './code-tokens.ts';
import { loadGrammar } from './grammars.ts';
import type { HighlightReply, HighlightRequest } from './highlighter.ts';

const longestLine = 2_000;
const longestLineMs = 5_000;

const ready = createHighlighterCore({
  themes: [scopeTheme],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

async function answer(request: HighlightRequest): Promise<HighlightReply> {
  const highlighter = await ready;
  const grammar = await loadGrammar(request.language);
  const name = grammar.at(-1)?.name ?? request.language;
  if (!highlighter.getLoadedLanguages().includes(name)) await highlighter.loadLanguage(...grammar);
  const lines = highlighter.codeToTokensBase(request.code, {
    lang: name,
    theme: scopeTheme.name,
    tokenizeMaxLineLength: longestLine,
    // The first line waits for the grammar's expressions to be compiled, which takes long on a busy machine.
    tokenizeTimeLimit: longestLineMs,
  });
  return {
    id: request.id,
    lines: lines.map((line) => line.map(({ content, color }) => [content, tokenOfColor(color)] as const)),
  };
}

parentPort?.on('message', (request: HighlightRequest) => {
  answer(request).then(
    (reply) => parentPort?.postMessage(reply),
    () => parentPort?.postMessage({ id: request.id, lines: null } satisfies HighlightReply),
  );
});
