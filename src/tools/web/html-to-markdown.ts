import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { log } from '#lib/log.ts';

/** What is used of an element; the program has no types of a browser otherwise. */
type PageElement = {
  tagName: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): ArrayLike<PageElement>;
};

/** Beyond this a page would hold up everything else while it is read. */
const maxHtmlChars = 1_500_000;
/** Pages that people read stay far below; the time that the libraries take grows with the square of these. */
const maxDepth = 150;
const maxTags = 12_000;
/** An article that says less than this was not the point of the page. */
const minArticleChars = 200;

/**
 * The article of a page as Markdown, or all of it where there is no article. Loads its libraries with the first page.
 * Never rejects: a page that they cannot take is shown without its tags.
 */
export async function htmlToMarkdown(
  html: string,
  url: URL,
): Promise<{ title: string | undefined; text: string }> {
  const lean = withoutNoise(html).slice(0, maxHtmlChars);
  if (isTooComplex(lean)) return { title: undefined, text: withoutTags(lean) };
  try {
    return convert(lean, url);
  } catch (error) {
    log('a page could not be converted:', error);
    return { title: undefined, text: withoutTags(lean) };
  }
}

function convert(html: string, url: URL): { title: string | undefined; text: string } {
  const { document } = parseHTML(html.includes('<body') ? html : `<html><body>${html}</body></html>`);
  const title = document.title.trim() || undefined;
  for (const element of document.querySelectorAll('a[href], img[src]'))
    absolute(element as unknown as PageElement, url);
  const whole = document.body?.cloneNode(true);
  const article = new Readability(document, { charThreshold: minArticleChars }).parse();
  const isArticle = (article?.textContent ?? '').trim().length >= minArticleChars;
  const source = isArticle ? parseHTML(`<html><body>${article?.content}</body></html>`).document.body : whole;
  const text = source ? converter().turndown(source as TurndownService.Node) : '';
  return { title: article?.title?.trim() || title, text: text.replaceAll(/\n{3,}/g, '\n\n').trim() };
}

function absolute(element: PageElement, base: URL): void {
  const name = element.tagName === 'IMG' ? 'src' : 'href';
  const target = URL.parse(element.getAttribute(name) ?? '', base.href);
  if (target && ['http:', 'https:', 'mailto:'].includes(target.protocol))
    element.setAttribute(name, target.href);
  else element.removeAttribute(name);
}

function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  service.remove([
    'script',
    'style',
    'noscript',
    'iframe',
    'form',
    'button',
    'input',
    'select',
    'textarea',
    'nav',
  ]);
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) =>
      `${content}|\n${isFirstRow(node) ? `${'| --- '.repeat(cellsOf(node))}|\n` : ''}`,
  });
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement: (content) =>
      `| ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} `,
  });
  service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
  service.addRule('sections', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('gone', {
    filter: ['del', 's'],
    replacement: (content) => `~~${content}~~`,
  });
  return service;
}

function isFirstRow(node: TurndownService.Node): boolean {
  const element = node as unknown as PageElement;
  return element.closest('table')?.querySelector('tr') === element;
}

function cellsOf(node: TurndownService.Node): number {
  return (node as unknown as PageElement).querySelectorAll('th, td').length;
}

/** Counts tags as they are written; those that are often left open do not nest. */
function isTooComplex(html: string): boolean {
  let depth = 0;
  let tags = 0;
  for (const [, close, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    tags += 1;
    if (tags > maxTags) return true;
    if (/^(p|li|t[rdh]|d[td]|br|hr|img|input|meta|link|source|wbr|area|col|option)$/i.test(name)) continue;
    depth = Math.max(0, depth + (close === '/' ? -1 : 1));
    if (depth > maxDepth) return true;
  }
  return false;
}

/** What is never read, cut out before anything is parsed: most of a page, often. Linear in the page. */
function withoutNoise(html: string): string {
  const lower = html.toLowerCase();
  let kept = '';
  let from = 0;
  for (let at = lower.indexOf('<'); at !== -1; at = lower.indexOf('<', at + 1)) {
    const name = ['script', 'style', 'svg', 'template', '!--'].find((tag) => lower.startsWith(tag, at + 1));
    if (name === undefined || (name !== '!--' && !/[\s>/]/.test(lower[at + 1 + name.length] ?? ''))) continue;
    const close = name === '!--' ? '-->' : `</${name}`;
    const end = lower.indexOf(close, at + 1);
    kept += html.slice(from, at);
    if (end === -1) return kept;
    const tagEnd = name === '!--' ? end + 2 : lower.indexOf('>', end);
    from = tagEnd === -1 ? html.length : tagEnd + 1;
    at = from - 1;
  }
  return kept + html.slice(from);
}

function withoutTags(html: string): string {
  return html
    .split('<')
    .map((piece, index) => (index === 0 ? piece : piece.slice(piece.indexOf('>') + 1)))
    .join(' ')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim();
}
