import { z } from 'zod';
import type { ToolResult } from '#protocol/message.ts';
import { defineTool, type ToolContext, type ToolDef } from '#protocol/tool.ts';
import { looseInput } from './result/loose-input.ts';
import { aborted, toolError } from './result/tool-error.ts';
import { size } from './result/words.ts';
import { fetchPage, type Page } from './web/fetch-page.ts';
import { pageText } from './web/page-text.ts';
import { passagesFor } from './web/passages.ts';
import { untrusted } from './web/untrusted.ts';
import prose from './web-fetch.md';

type Input = { url: string; prompt?: string | undefined };

const timeoutMs = 30_000;
const maxBytes = 5_000_000;
/** Of the page of an error. */
const maxErrorChars = 2_000;

export function webFetch({ privateHosts }: { privateHosts: readonly string[] }): ToolDef {
  return defineTool<Input>({
    name: 'web_fetch',
    aliases: ['WebFetch'],
    inputAliases: { uri: 'url', link: 'url', question: 'prompt', query: 'prompt' },
    prose,
    input: looseInput({
      url: z.string().refine((text) => webAddress(text) !== undefined, 'must be an http or https address'),
      prompt: z.string().optional(),
    }),
    effect: 'net',
    touches: ({ url }) => [{ kind: 'host', host: webAddress(url)?.hostname ?? url }],
    title: ({ url }) => webAddress(url)?.href ?? url,
    async run({ url: text, prompt }, ctx) {
      const url = webAddress(text);
      if (!url) return toolError('invalid_argument', `${text} is no http or https address.`);
      const page = await fetchPage({
        url,
        signal: ctx.signal,
        timeoutMs,
        maxBytes,
        privateHosts,
        env: ctx.childEnv,
      });
      if (ctx.signal.aborted) return aborted(`Fetching ${url.href} was interrupted.`);
      switch (page.kind) {
        case 'problem':
          return toolError(page.code, page.text);
        case 'elsewhere':
          return toolError(
            'redirected',
            `${page.from.href} leads to another host. If that is right, call web_fetch with ${page.to.href}`,
          );
        case 'response':
          return pageResult(page, { prompt, ctx });
      }
    },
  });
}

/** Without a scheme https is meant. An address with a password is not taken. */
function webAddress(text: string): URL | undefined {
  const trimmed = text.trim();
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:/i.test(trimmed) && !/^[\w.-]+:\d/.test(trimmed) ? trimmed : `https://${trimmed}`,
  );
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  url.hash = '';
  return url;
}

async function pageResult(
  page: Page,
  { prompt, ctx }: { prompt: string | undefined; ctx: ToolContext },
): Promise<ToolResult> {
  const { href, host } = page.url;
  const content = await pageText(page);
  const shown = (text: string) => untrusted(text, { source: href, callId: ctx.callId });
  if (page.status < 200 || page.status > 299) {
    const start = content.kind === 'text' ? content.text.slice(0, maxErrorChars).trim() : '';
    const said = start === '' ? '' : `\n${shown(start)}`;
    return toolError(
      `http_${page.status}`,
      `${host} answered with status ${page.status}.${advice(page.status)}${said}`,
    );
  }
  if (content.kind === 'refused') return toolError('not_text', `${href}: ${content.text}`);
  const { title, text } = content;
  if (text.trim() === '')
    return toolError(
      'empty',
      `${href} has no text: its content may be made by scripts, which are not run here.`,
    );
  const notes = page.isCut ? [`[Only the first ${size(maxBytes)} were read.]`] : [];
  const passages = text.length > ctx.maxResultChars && prompt ? passagesFor(text, prompt) : [];
  const found = passages.length > 0 ? [`# Passages that fit "${prompt}"`, ...passages, '# The page'] : [];
  const whole = [...(title ? [`Title: ${title}`] : []), ...found, text].join('\n\n');
  return {
    status: 'ok',
    forModel: [{ kind: 'text', text: [...notes, shown(whole)].join('\n') }],
    view: { kind: 'markdown', text: text.slice(0, 4_000) },
    summary: `${size(page.body.length)} from ${host}`,
  };
}

function advice(status: number): string {
  if (status === 404 || status === 410) return ' There is no such page: do not guess another address.';
  if (status === 401 || status === 403) return ' It wants a login or keeps programs out.';
  return status === 429 ? ' It has been asked too often; wait.' : '';
}
