import type { ConsultReview } from '#protocol/consult-review.ts';
import type { ModelChoice, ModelInfo } from '#protocol/model-ref.ts';
import type { QuestionRequest } from '#protocol/question.ts';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import { fakePreflight } from '../../support/ui/fake-port.ts';
import { waitFor } from '../../support/ui/wait-for.ts';
import { type SetUpOptions, setUp } from '../../unit/ui/dialogs/set-up.ts';
import { commandRequest, down, editRequest, enter, named, up } from '../../unit/ui/dialogs/support.ts';

type Screen = ReturnType<typeof setUp>;

const evil = 'name\u001b]0;owned\u0007\u001b[2J\u202e日本語\r\nmore\t\u0000';

function choice(
  provider: string,
  model: string,
  changes: Partial<ModelInfo> & { detail?: string } = {},
): ModelChoice {
  const { detail = 'running here · 32k context', ...known } = changes;
  const ref = { provider, model };
  return {
    ref,
    label: model,
    source: 'local-server',
    detail,
    info: {
      ref,
      name: model,
      family: 'openai-compatible',
      contextWindow: { value: 32_768, origin: 'server' },
      outputLimit: { value: 8_192, origin: 'default' },
      images: { value: false, origin: 'default' },
      tools: { value: true, origin: 'server' },
      reasoning: { value: false, origin: 'default' },
      local: true,
      ...known,
    },
  };
}

export const choices: readonly ModelChoice[] = [
  choice('ollama', 'coder:30b'),
  choice('ollama', 'small:3b', {
    contextWindow: { value: 4_096, origin: 'server' },
    tools: { value: false, origin: 'catalogue' },
    detail: 'running here · 4k context (too small)',
  }),
  choice('anthropic', 'large-1', {
    local: false,
    contextWindow: { value: 200_000, origin: 'catalogue' },
    images: { value: true, origin: 'catalogue' },
    price: { value: { input: 3, output: 15 }, origin: 'catalogue' },
    detail: 'ANTHROPIC_API_KEY is set',
  }),
  choice('gateway', `${evil}-${'long-'.repeat(20)}`, { detail: evil }),
];

const questions: QuestionRequest = {
  id: 'question-1',
  callId: 'call-1',
  questions: [
    {
      question: 'Which database should the new service use?\nIt decides how migrations are written.',
      header: 'Database',
      options: [
        { label: 'PostgreSQL', description: 'what the other services use' },
        { label: 'SQLite', description: 'no server, one file; enough for one node, and easy to back up' },
        { label: `日本語のデータベース ${evil}`, description: evil },
      ],
      multiSelect: true,
    },
    { question: evil, options: [], multiSelect: false },
  ],
};

function thread(index: number, changes: Partial<ThreadSummary> = {}): ThreadSummary {
  return {
    threadId: `t${index}`,
    name: null,
    cwd: '/projects/shop-api',
    title: `fix the failing test number ${index} in the cart`,
    createdAt: 0,
    updatedAt: 1_000_000 - index * 3_600_000,
    messages: index * 7,
    model: 'ollama/coder:30b',
    ...changes,
  };
}

const settings = Array.from({ length: 30 }, (_, index) => ({
  key: `section.key_${index}`,
  value: index === 3 ? `${evil} ${'value '.repeat(40)}` : `value ${index}`,
  origin: index % 2 === 0 ? 'default' : '~/.llmcode/config.json',
}));

const port = {
  async *modelChoices() {
    yield choices;
  },
  threads: async () => [
    thread(1),
    thread(2, { name: 'total-order' }),
    thread(3, { title: `合計が間違っている ${evil}` }),
    ...Array.from({ length: 40 }, (_, index) => thread(index + 4)),
  ],
  settings: async () => settings,
};

const longScript = Array.from({ length: 60 }, (_, line) => `echo ${line} ${'a long line '.repeat(9)}`).join(
  '\n',
);

/** Every dialog in every step, each ready for keys. */
export const gallery: Readonly<Record<string, () => Screen | Promise<Screen>>> = {
  'permission of a command': () => asked({ permissions: [commandRequest(), editRequest()] }),
  'permission of a long command': () =>
    asked({ permissions: [commandRequest({ command: longScript, input: { command: longScript } })] }),
  'permission of a hostile command': () =>
    asked({
      permissions: [
        commandRequest({
          tool: evil,
          command: evil,
          input: { command: evil, [evil]: evil },
          cwd: `/tmp/${evil}`,
          reasons: [{ check: evil, text: evil, rule: evil, source: evil }],
          suggestedRule: `Bash(${evil})`,
        }),
      ],
    }),
  'permission of an edit': () => asked({ permissions: [editRequest()] }),
  'permission of several edits': () => {
    const { view } = editRequest();
    if (view?.kind !== 'diff') throw new Error('no diff');
    const files = [view, { ...view, path: evil, change: 'create' as const }];
    return asked({ permissions: [editRequest({ tool: 'apply_patch', view: { kind: 'diffs', files } })] });
  },
  'permission of a fetch': () => {
    const { command: _none, ...request } = commandRequest({
      tool: 'web_fetch',
      input: { url: `https://x/${evil}`, n: [1] },
    });
    return asked({ permissions: [request] });
  },
  'permission: always': () => pressed(asked({ permissions: [commandRequest()] }), 'a'),
  'permission: edit': () =>
    pressed(asked({ permissions: [commandRequest()] }), 'e', ' -- --verbose'.repeat(9)),
  'permission: reason': () =>
    pressed(asked({ permissions: [commandRequest()] }), 'd', '日本語で '.repeat(20)),
  question: () => asked({ questions: [questions] }),
  'question of several': () => pressed(asked({ questions: [questions] }), ' ', down, ' ', down),
  'question with a text': () => pressed(asked({ questions: [questions] }), up, 'none of these '.repeat(12)),
  'long question': () =>
    asked({
      questions: [
        {
          ...questions,
          questions: [
            {
              question: 'a long story '.repeat(200),
              options: [{ label: 'yes' }, { label: 'no' }],
              multiSelect: false,
            },
          ],
        },
      ],
    }),
  'hostile question': () => pressed(asked({ questions: [questions] }), enter),
  model: () => opened('model'),
  'model, filtered': async () => pressed(await opened('model'), 'sml'),
  'model, typed in full': async () => pressed(await opened('model'), 'ollama/other:7b'),
  'model, the hostile one': async () => pressed(await opened('model'), down, down, down),
  'model, with marks and a silent provider': async () =>
    pressed(
      await opened('model', {
        modelMarks: async () => ({
          recent: [{ provider: 'anthropic', model: 'large-1', effort: 'high' }],
          favourites: [{ provider: 'gone', model: evil }],
        }),
        async *modelChoices(_signal, onSilent) {
          for (const provider of ['office', evil, 'third'])
            onSilent?.({ provider, address: `http://host/${evil}`, reason: 'nothing listens there' });
          yield choices;
        },
      }),
      named('home'),
    ),
  'model, the card': () => card({ images: 2, firstCallUsd: 0.12, laterCallUsd: 0.01 }),
  'model, the card of a bad fit': () =>
    card({
      fit: 'too-long',
      images: 2,
      firstCallUsd: null,
      laterCallUsd: null,
      leavesMachine: true,
      leavesReasoning: true,
      info: {
        ...fakePreflight({ provider: evil, model: evil }).info,
        tools: { value: false, origin: 'server' },
        images: { value: false, origin: 'server' },
      },
    }),
  'first run': () => opened('first-run'),
  'first run without anything': () =>
    opened('first-run', {
      modelChoices: async function* () {
        const ref = { provider: 'demo', model: 'demo' };
        yield [{ ref, label: 'offline demo', source: 'demo' as const, detail: 'scripted' }];
      },
    }),
  'provider form': async () =>
    pressed(
      await opened('model'),
      named('end'),
      up,
      enter,
      'mine',
      enter,
      'localhost',
      enter,
      enter,
      'm',
      enter,
    ),
  'provider form, the models of the server': async () => {
    const screen = await opened('model', { providerModels: async () => ['m', evil, 'x'.repeat(200)] });
    pressed(screen, named('end'), up, enter, 'mine', enter, 'http://h/v1', enter, enter);
    await waitFor(() => formOf(screen)?.models.state === 'listed');
    return pressed(screen, down);
  },
  'provider form, no models': async () => {
    const screen = await opened('model', { providerModels: () => Promise.reject(new Error(evil)) });
    pressed(screen, named('end'), up, enter, 'mine', enter, 'http://h/v1', enter, enter);
    await waitFor(() => formOf(screen)?.models.state === 'failed');
    return screen;
  },
  'provider review': async () =>
    pressed(
      await opened('model'),
      named('end'),
      up,
      enter,
      'mine',
      enter,
      'http://h/v1',
      enter,
      'K',
      enter,
      'm',
      enter,
    ),
  threads: () => opened('threads'),
  'threads, none': () => opened('threads', { threads: async () => [] }),
  'threads, at the end': async () => pressed(await opened('threads'), named('end')),
  config: () => opened('config'),
  'config, a long value': async () => pressed(await opened('config'), down, down, down),
  'help: keys': () => opened('help'),
  'help: commands': async () => pressed(await opened('help'), named('tab')),
  theme: () => opened('theme'),
  mode: () => opened('mode'),
  'consult: a plain question': () => consult({}),
  'consult: all, with files and secrets': () =>
    consult({
      seats: [seat, { ...seat, peer: `acme/${evil}`, isLocal: false, costUsd: null, thread: evil }],
      attachments: [
        { kind: 'file', name: evil, bytes: 1_234, isOutside: true },
        { kind: 'diff', name: 'changes of the working folder', bytes: 99_000, isOutside: false },
      ],
      secrets: Array.from({ length: 7 }, (_, line) => ({ what: 'looks like a token', where: evil, line })),
      text: `${evil}\n`.repeat(60),
    }),
  'mode: full access': async () => pressed(await opened('mode'), named('end'), enter),
};

function asked(thread: NonNullable<SetUpOptions['thread']>): Screen {
  const screen = setUp({ thread, port });
  screen.calm();
  return screen;
}

async function opened(
  name: Parameters<Screen['dialogs']['open']>[0],
  changes: NonNullable<SetUpOptions['port']> = {},
): Promise<Screen> {
  const screen = setUp({ port: { ...port, ...changes } });
  screen.dialogs.open(name);
  await waitFor(() => isFilled(screen));
  screen.calm();
  return screen;
}

function card(changes: Parameters<typeof fakePreflight>[1]): Screen {
  const screen = setUp({ port });
  screen.dialogs.confirmModel(fakePreflight({ provider: 'anthropic', model: 'large-1' }, changes));
  screen.calm();
  return screen;
}

const seat = {
  peer: 'anthropic/large-1',
  thread: 'arch',
  round: 2,
  isLocal: true,
  tokens: 1_940,
  costUsd: 0.021,
};

function consult(changes: Partial<ConsultReview>): Screen {
  const screen = setUp({ port });
  const plain = {
    id: '1',
    seats: [seat],
    bytes: 12,
    attachments: [],
    secrets: [],
    text: 'A queue or a topic?',
  };
  screen.dialogs.confirmConsult({ ...plain, ...changes });
  screen.calm();
  return screen;
}

function formOf(screen: Screen) {
  const { dialog } = screen.dialogs.getSnapshot();
  return dialog?.kind === 'model' ? dialog.form : null;
}

function isFilled(screen: Screen): boolean {
  const { dialog } = screen.dialogs.getSnapshot();
  switch (dialog?.kind) {
    case 'model':
      return !dialog.isSearching;
    case 'threads':
      return dialog.threads !== null;
    case 'config':
      return dialog.rows !== null;
    default:
      return true;
  }
}

function pressed(screen: Screen, ...entries: Parameters<Screen['press']>): Screen {
  screen.press(...entries);
  screen.calm();
  return screen;
}
