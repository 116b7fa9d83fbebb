import { codeText } from '#lib/quote.ts';
import type { CopyReport } from '../terminal/clipboard/copy-text.ts';

type CopyNotice = { readonly level: 'info' | 'warning'; readonly text: string };

/** What can truly be said of a copy: a terminal never tells whether it took it. */
export function copyNotice(what: string, report: CopyReport): CopyNotice {
  switch (report.kind) {
    case 'program':
      return report.reach === 'tmux'
        ? info(`Copied ${what} into the buffer of tmux, which was asked to pass it on to the terminal.`)
        : info(`Copied ${what} with \`${report.program}\`.`);
    case 'terminal':
      return report.isLong
        ? {
            level: 'warning',
            text: `Copied ${what} through the terminal. It is more than 75 KB, and some terminals cut or drop that; \`/transcript\` followed by a file name writes the conversation to a file.`,
          }
        : info(`Copied ${what} through the terminal.`);
    case 'file':
      return {
        level: 'warning',
        text: `There is no clipboard that can be reached from here, so ${what} is in ${codeText(report.path)}.`,
      };
  }
}

function info(text: string): CopyNotice {
  return { level: 'info', text };
}
