import { roundFacts } from '#agents/consult/outcome.ts';
import { isoTime } from '#lib/iso-time.ts';
import { cleanText } from '#lib/terminal-text.ts';
import type { ConsultPart, Message, MessagePart, ToolCallPart } from '#protocol/message.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { DiffView } from '#protocol/tool-view.ts';
import { escapeHtml, markdownHtml, preHtml } from './markdown-html.ts';
import { pageStyle } from './page-style.ts';
import type { ThreadHeading } from './thread-heading.ts';

/**
 * A conversation as one HTML file that needs nothing else: no script, no request, readable in light and dark. What
 * tools did is folded away.
 */
export function threadHtml(heading: ThreadHeading, { messages, live }: ThreadState): string {
  const title = escapeHtml(cleanText(heading.name ?? heading.title));
  const facts = [heading.threadId, heading.cwd, isoTime(heading.createdAt), heading.model ?? '']
    .filter((fact) => fact !== '')
    .map((fact) => escapeHtml(cleanText(fact)));
  const all = live ? [...messages, live] : messages;
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<h1>${title}</h1>
<p class="facts">${facts.join(' · ')}</p>
${all
  .map(messageHtml)
  .filter((html) => html !== '')
  .join('\n')}
</body>
</html>
`;
}

function messageHtml(message: Message): string {
  const parts = message.parts.map(partHtml).filter((html) => html !== '');
  if (parts.length === 0) return '';
  const kind = message.role === 'user' && message.origin === 'engine' ? 'engine' : message.role;
  return `<section class="${kind}">\n${parts.join('\n')}\n</section>`;
}

function partHtml(part: MessagePart): string {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? '' : markdownHtml(cleanText(part.text));
    case 'reasoning':
      return part.text.trim() === '' ? '' : folded('thinking', markdownHtml(cleanText(part.text)));
    case 'image':
      return `<p>[image ${escapeHtml(cleanText(part.name ?? part.mediaType))}]</p>`;
    case 'notice':
      return `<p class="notice">${escapeHtml(cleanText(part.text))}</p>`;
    case 'consult':
      return consultHtml(part);
    case 'tool-call':
      return toolHtml(part);
  }
}

function consultHtml(part: ConsultPart): string {
  const head = `${part.peer} · ${part.thread} · round ${part.round} · ${roundFacts(part, part.peer)}`;
  const failure = part.error ? `<p class="notice">${escapeHtml(cleanText(part.error.message))}</p>` : '';
  const question = `<blockquote>${markdownHtml(cleanText(part.question))}</blockquote>`;
  return folded(head, `${question}${markdownHtml(cleanText(part.text))}${failure}`, 'consult');
}

function toolHtml(part: ToolCallPart): string {
  const { result } = part;
  const title = [part.tool, part.title ?? '', result ? '' : 'no result'].filter((text) => text !== '');
  const failed = result && result.status !== 'ok' ? ` failed` : '';
  return folded(title.join('  '), bodyHtml(part), `tool${failed}`);
}

function bodyHtml({ result, input }: ToolCallPart): string {
  const { view } = result ?? {};
  if (view?.kind === 'diff') return diffHtml(view);
  if (view?.kind === 'diffs') return view.files.map(diffHtml).join('\n');
  const asked = preHtml(cleanText(JSON.stringify(input, null, 2)));
  const said = (result?.forModel ?? [])
    .map((content) => (content.kind === 'text' ? content.text : '[image]'))
    .join('\n');
  return said === '' ? asked : `${asked}\n${preHtml(cleanText(said))}`;
}

function diffHtml({ path, hunks, omittedLines = 0 }: DiffView): string {
  const kinds = { '+': 'added', '-': 'removed', ' ': '' } as const;
  const lines = hunks.flatMap((hunk) => [
    `<span class="hunk">@@ -${hunk.oldStart} +${hunk.newStart} @@</span>`,
    ...hunk.lines.map(
      ({ op, text }) => `<span class="${kinds[op]}">${op}${escapeHtml(cleanText(text))}</span>`,
    ),
  ]);
  const more = omittedLines > 0 ? `\n… ${omittedLines} more lines` : '';
  return `<p class="path">${escapeHtml(cleanText(path))}</p><pre class="diff">${lines.join('\n')}${more}</pre>`;
}

function folded(summary: string, html: string, kind = ''): string {
  return `<details${kind === '' ? '' : ` class="${kind}"`}><summary>${escapeHtml(cleanText(summary))}</summary>\n${html}\n</details>`;
}
