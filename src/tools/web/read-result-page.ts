import { parseHTML } from 'linkedom';
import type { SearchHit } from './search-backends.ts';

/** The hits of a DuckDuckGo page without scripts; undefined when it is another page, e.g. one for robots. */
export function readResultPage(html: string): SearchHit[] | undefined {
  const { document } = parseHTML(html);
  const results = [...document.querySelectorAll('.result')];
  if (results.length === 0)
    return document.querySelector('.no-results, .no-results-message') ? [] : undefined;
  return results.flatMap((result) => {
    const link = result.querySelector('a.result__a');
    const url = targetOf(link?.getAttribute('href') ?? '');
    if (!link || url === undefined || result.classList.contains('result--ad')) return [];
    const snippet = result.querySelector('.result__snippet')?.textContent ?? '';
    return [{ title: plain(link.textContent ?? ''), url, snippet: plain(snippet) }];
  });
}

/** Links lead through a counter that carries the address. */
function targetOf(href: string): string | undefined {
  const url = URL.parse(href, 'https://duckduckgo.com');
  const target = url?.pathname === '/l/' ? URL.parse(url.searchParams.get('uddg') ?? '') : url;
  return target && ['http:', 'https:'].includes(target.protocol) ? target.href : undefined;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
