import { codeText } from '#lib/quote.ts';
import { isExportFormat } from '../threads/export-format.ts';
import { defineCommand, inform, warn } from './define-command.ts';

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write this conversation into a file: Markdown, HTML or JSON',
  args: '[file] [--format markdown|html|json]',
  async run(argument, context) {
    const [, before = '', format, after = ''] = /^(.*?)(?:^|\s)--format[= ](\S+)(.*)$/s.exec(argument) ?? [
      argument,
      argument,
    ];
    if (format !== undefined && !isExportFormat(format))
      return warn('The formats are `markdown`, `html` and `json`.');
    const file = await context.saveExport({ file: `${before} ${after}`.trim(), format });
    return inform(`Wrote ${codeText(file)}.`);
  },
});
