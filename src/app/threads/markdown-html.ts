import { known, lexMarkdown, type MarkedToken, type Tokens } from '#ui/markdown/lex.ts';

/** Markdown of a model as HTML. All text is escaped, HTML in it too; only web and mail addresses become links. */
export function markdownHtml(text: string): string {
  return blocks(lexMarkdown(text));
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A block of lines as they are. */
export function preHtml(text: string, kind = ''): string {
  const attribute = kind === '' ? '' : ` class="${escapeHtml(kind)}"`;
  return `<pre${attribute}>${escapeHtml(text)}</pre>`;
}

function blocks(tokens: readonly MarkedToken[]): string {
  return tokens.map(block).join('\n');
}

function block(token: MarkedToken): string {
  switch (token.type) {
    case 'heading': {
      // The page has the first two levels for itself.
      const level = Math.min(6, token.depth + 2);
      return `<h${level}>${inline(known(token.tokens))}</h${level}>`;
    }
    case 'paragraph':
      return `<p>${inline(known(token.tokens))}</p>`;
    case 'text':
      return token.tokens ? inline(known(token.tokens)) : escapeHtml(token.text);
    case 'code':
      return preHtml(token.text, 'code');
    case 'blockquote':
      return `<blockquote>${blocks(known(token.tokens))}</blockquote>`;
    case 'list':
      return list(token);
    case 'table':
      return table(token);
    case 'hr':
      return '<hr>';
    case 'space':
    case 'def':
      return '';
    case 'html':
      return preHtml(token.text.trimEnd());
    default:
      return `<p>${inline([token])}</p>`;
  }
}

function list({ ordered, start, items }: Tokens.List): string {
  const tag = ordered ? 'ol' : 'ul';
  const first = ordered && typeof start === 'number' && start !== 1 ? ` start="${start}"` : '';
  const rows = items.map(({ task, checked, tokens }) => {
    const mark = task ? `<span class="task">${checked ? '☑' : '☐'}</span> ` : '';
    const said = known(tokens).filter(({ type }) => type !== 'checkbox');
    return `<li>${mark}${blocks(said)}</li>`;
  });
  return `<${tag}${first}>${rows.join('')}</${tag}>`;
}

function table({ header, rows }: Tokens.Table): string {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${inline(known(tokens))}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${row(header, 'th')}</thead><tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}

function inline(tokens: readonly MarkedToken[]): string {
  return tokens.map(span).join('');
}

function span(token: MarkedToken): string {
  switch (token.type) {
    case 'strong':
      return `<strong>${inline(known(token.tokens))}</strong>`;
    case 'em':
      return `<em>${inline(known(token.tokens))}</em>`;
    case 'del':
      return `<del>${inline(known(token.tokens))}</del>`;
    case 'codespan':
      return `<code>${escapeHtml(token.text)}</code>`;
    case 'br':
      return '<br>';
    case 'link':
      return link(token.href, inline(known(token.tokens)));
    case 'image':
      // Nothing is fetched by opening the file.
      return link(token.href, escapeHtml(token.text === '' ? token.href : token.text));
    case 'text':
      return token.tokens ? inline(known(token.tokens)) : escapeHtml(token.text);
    default:
      return escapeHtml('text' in token && typeof token.text === 'string' ? token.text : token.raw);
  }
}

function link(href: string, label: string): string {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return label;
  return `<a href="${escapeHtml(href)}" rel="noreferrer noopener">${label}</a>`;
}
