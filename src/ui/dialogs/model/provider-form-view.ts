import { cleanName, cleanText } from '#lib/terminal-text.ts';
import { padToWidth } from '#lib/text-width.ts';
import { wrapText } from '#lib/wrap.ts';
import { span } from '../../theme/span.ts';
import { marker } from '../sheet/list-rows.ts';
import { paragraph, row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { type FormField, formFields, type ProviderForm, type ProviderReview } from './provider-form.ts';
import { offeredModels } from './provider-models.ts';

export function providerFormSheet(form: ProviderForm, { width }: ViewScene): Sheet {
  return form.review ? reviewSheet(form.review, width) : fieldsSheet(form, width);
}

const labels: Readonly<Record<FormField, { label: string; placeholder: string }>> = {
  id: { label: 'name', placeholder: 'my-server' },
  baseUrl: { label: 'address', placeholder: 'http://localhost:8000/v1' },
  model: { label: 'model', placeholder: 'type to filter, or the name by which the server knows it' },
  apiKeyEnv: { label: 'key', placeholder: 'name of a variable, e.g. MY_SERVER_API_KEY; empty for none' },
};

function fieldsSheet(form: ProviderForm, width: number): Sheet {
  const rows = formFields.flatMap((field): SheetRow[] => {
    const isFocused = form.focus === field;
    const { label, placeholder } = labels[field];
    const input: SheetRow = {
      kind: 'field',
      label: [
        span(isFocused ? '❯ ' : '  ', 'accent', 'bold'),
        span(padToWidth(label, 9), isFocused ? 'accent' : 'dim'),
      ],
      field: form.fields[field],
      placeholder,
      isFocused,
    };
    if (form.problem?.field !== field) return [input];
    const problem = wrapText(cleanName(form.problem.text), width - 11);
    return [input, ...problem.map((line) => row(span(`${' '.repeat(11)}${line}`, 'error')))];
  });
  const focused = rows.findIndex((each) => each.kind === 'field' && each.isFocused);
  const models = form.focus === 'model' ? modelRows(form, width) : noModels;
  return {
    frame: 'box',
    title: 'add a provider',
    note: 'OpenAI-compatible',
    head: [],
    body: {
      ...staticBody([...rows, ...models.rows]),
      reveal: models.selected < 0 ? Math.max(0, focused) : rows.length + models.selected,
    },
    foot: [],
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Enter', does: form.focus === 'model' ? 'show what will be written' : 'next' },
      { key: 'Esc', does: 'back' },
    ],
  };
}

const noModels: { rows: readonly SheetRow[]; selected: number } = { rows: [], selected: -1 };
const indent = ' '.repeat(11);

/** What the server has, below the field for the model. */
function modelRows({ models, fields }: ProviderForm, width: number): typeof noModels {
  const note = (text: string, token: 'dim' | 'warning') => ({
    rows: paragraph(`${indent}${text}`, { width, token }),
    selected: -1,
  });
  switch (models.state) {
    case 'unasked':
      return noModels;
    case 'asking':
      return note('asking the server what it has…', 'dim');
    case 'failed':
      return note(`no list from that server (${cleanName(models.reason)}): type the name`, 'warning');
    case 'listed': {
      const offered = offeredModels(models, fields.model.text);
      const rows = offered.map(({ id, isTyped }) => {
        const isSelected = id === models.list.selected;
        const name = span(cleanName(id), isSelected ? 'accent' : 'text');
        const typed = isTyped ? [span('  as typed; the server does not list it', 'dim')] : [];
        return row(span(indent.slice(2)), marker(isSelected), name, ...typed);
      });
      return { rows, selected: offered.findIndex(({ id }) => id === models.list.selected) };
    }
  }
}

function reviewSheet({ file, text, scroll }: ProviderReview, width: number): Sheet {
  const lines = cleanText(text)
    .split('\n')
    .flatMap((line) => wrapText(line, width - 2));
  return {
    frame: 'box',
    title: 'write this?',
    note: '',
    head: paragraph(`into ${cleanName(file)}`, { width, token: 'text' }),
    body: staticBody(
      lines.map((line) => row(span(`  ${line}`, 'code'))),
      scroll,
    ),
    foot: [row(span('The key itself is never written: it is read from its variable.', 'dim'))],
    keys: [
      { key: 'y', does: 'write it and use this model' },
      { key: 'n', does: 'back' },
    ],
  };
}
