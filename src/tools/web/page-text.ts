import type { IncomingMessage } from 'node:http';
import { size } from '../result/words.ts';

/** What a page is to the model. */
export type PageText =
  | { kind: 'text'; title: string | undefined; text: string }
  | { kind: 'refused'; text: string };

type Received = { url: URL; headers: IncomingMessage['headers']; body: Buffer };

/** The readable text of what a server sent: HTML as Markdown, JSON with line breaks, text as it is. */
export async function pageText({ url, headers, body }: Received): Promise<PageText> {
  const [declared = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const type = declared.trim().toLowerCase() || sniff(body);
  if (type === 'application/pdf' || body.subarray(0, 5).toString('latin1') === '%PDF-')
    return refused(
      `It is a PDF (${size(body.length)})`,
      'download it with bash (curl) and use pdftotext, with the permission of the person',
    );
  const isText =
    /^text\/|[/+](json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh|ndjson|x-ndjson|graphql|sql|markdown)$/.test(
      type,
    );
  if (!isText || (body.subarray(0, 4_096).includes(0) && !/utf-16/i.test(headers['content-type'] ?? '')))
    return refused(
      `It is no text but ${type || 'binary data'} (${size(body.length)})`,
      'download it with bash if it is needed',
    );
  const text = decode(body, parameters.join(';'));
  if (type === 'text/html' || type === 'application/xhtml+xml') {
    const { htmlToMarkdown } = await import('./html-to-markdown.ts');
    return { kind: 'text', ...(await htmlToMarkdown(text, url)) };
  }
  return { kind: 'text', title: undefined, text: /[/+]json$/.test(type) ? pretty(text) : text };
}

function refused(what: string, advice: string): PageText {
  return { kind: 'refused', text: `${what}, which cannot be read here: ${advice}.` };
}

function sniff(body: Buffer): string {
  const start = body.subarray(0, 1_000).toString('latin1').trimStart().toLowerCase();
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return 'text/html';
  return body.subarray(0, 4_096).includes(0) ? '' : 'text/plain';
}

/** By the header, else by what the page says of itself, else UTF-8. */
function decode(body: Buffer, parameters: string): string {
  const start = body.subarray(0, 2_048).toString('latin1');
  const label =
    /charset\s*=\s*"?([\w.:-]+)/i.exec(parameters)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1];
  try {
    return new TextDecoder(label ?? 'utf-8').decode(body);
  } catch {
    return new TextDecoder().decode(body); // A label that nobody knows.
  }
}

/** Only what is short enough to be worked on at once. */
function pretty(text: string): string {
  if (text.length > 2_000_000) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text; // It is then shown as it came.
  }
}
