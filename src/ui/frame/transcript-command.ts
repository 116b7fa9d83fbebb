import type { KeyCommand } from '../input/keymap.ts';
import type { TranscriptActions } from '../transcript/actions.ts';

/** True when the command is one that moves in the conversation or opens it. */
export function transcriptCommand(transcript: TranscriptActions, command: KeyCommand | undefined): boolean {
  switch (command) {
    case 'page-up':
      transcript.page('up');
      return true;
    case 'page-down':
      transcript.page('down');
      return true;
    case 'scroll-top':
      transcript.toTop();
      return true;
    case 'scroll-bottom':
      transcript.toNewest();
      return true;
    case 'scroll-line-up':
      transcript.scroll(-1);
      return true;
    case 'scroll-line-down':
      transcript.scroll(1);
      return true;
    case 'prompt-older':
      transcript.toPrompt('older');
      return true;
    case 'prompt-newer':
      transcript.toPrompt('newer');
      return true;
    case 'expand-all':
      transcript.toggleOpensAll();
      return true;
    default:
      return false;
  }
}
