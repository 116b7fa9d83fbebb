import { cleanName, cleanText } from '#lib/terminal-text.ts';
import { padToWidth } from '#lib/text-width.ts';
import { wrapText } from '#lib/wrap.ts';
import { span } from '../../theme/span.ts';
import { paragraph, row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { type FormField, formFields, type ProviderForm, type ProviderReview } from './provider-form.ts';

export function providerFormSheet(form: ProviderForm, { width }: ViewScene): Sheet {
  return form.review ? reviewSheet(form.review, width) : fieldsSheet(form, width);
}

const labels: Readonly<Record<FormField, { label: string; placeholder: string }>> = {
  id: { label: 'name', placeholder: 'my-server' },
  baseUrl: { label: 'address', placeholder: 'http://localhost:8000/v1' },
  model: { label: 'model', placeholder: 'as that server calls it' },
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
  return {
    frame: 'box',
    title: 'add a provider',
    note: 'OpenAI-compatible',
    head: [],
    body: { ...staticBody(rows), reveal: Math.max(0, focused) },
    foot: [],
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Enter', does: form.focus === formFields.at(-1) ? 'show what will be written' : 'next' },
      { key: 'Esc', does: 'back' },
    ],
  };
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
