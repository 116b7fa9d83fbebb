import { defineCommand, inform, warn } from './define-command.ts';

const usage = 'Usage: `/vcr on`, `/vcr off` or `/vcr status`; a file name after `on` says where to.';

export const vcrCommand = defineCommand({
  name: 'vcr',
  summary: 'record this session, to replay it with --replay',
  args: '[on|off|status] [file]',
  choices: ['on', 'off', 'status'],
  async run(argument, context) {
    const [what = 'status', ...rest] = argument === '' ? [] : argument.split(/\s+/);
    if (what !== 'on' && rest.length > 0) return warn(usage);
    switch (what) {
      case 'on':
        if ((await context.state()).turnId !== null)
          return warn(
            'A turn is running, and a recording begins between two turns: `/vcr on` again after it.',
          );
        return inform(await context.startRecording(rest.join(' ')));
      case 'off':
        return inform(await context.stopRecording());
      case 'status':
        return inform(await context.recordingStatus());
      default:
        return warn(usage);
    }
  },
});
