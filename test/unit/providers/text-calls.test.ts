import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextCallParser } from '#providers/text-calls/text-call-parser.ts';
import { fits, loadTextOutputs, readPieces, toolsOf } from './support/text-outputs.ts';

const outputs = loadTextOutputs();

/** The text cut at these places. */
function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((place, index) => text.slice(place, places[index] ?? text.length));
}

test.skipIf(outputs.length === 0)('all recorded texts are there (skipped without the corpus)', () => {
  expect(outputs).toHaveLength(84);
});

describe.skipIf(outputs.length === 0)(
  'recorded texts with calls in them (skipped without the corpus)',
  () => {
    test.each(outputs.map((output) => [output.id, output] as const))(
      '%s is read right wherever it is cut',
      (_id, output) => {
        const tools = toolsOf(output.tools);
        const whole = readPieces([output.text], { tools });
        expect({ ...whole, fits: fits(output, whole) }).toEqual({ ...whole, fits: true });
        expect(readPieces(output.text.split(''), { tools })).toEqual(whole);
        fc.assert(
          fc.property(fc.array(fc.nat(10_000), { maxLength: 12 }), (cuts) => {
            expect(readPieces(cutAt(output.text, cuts), { tools })).toEqual(whole);
          }),
          { numRuns: 40 },
        );
      },
    );
  },
);

const tools = toolsOf({
  read_file: { path: 'string', offset: 'integer' },
  write_file: { path: 'string', content: 'string' },
  bash: { command: 'string', timeout: 'number', run_in_background: 'boolean' },
  todo_write: { todos: 'array' },
});

/** What is read, in one piece and in single characters; both must be the same. */
function read(text: string, options: { isLoose?: boolean } = {}) {
  const whole = readPieces([text], { tools, ...options });
  expect(readPieces(text.split(''), { tools, ...options })).toEqual(whole);
  return whole;
}

const bash = (command: string) => ({ name: 'bash', args: { command } });

describe('a call in the text', () => {
  test.each<[string, string, { name: string; args: unknown }[]]>([
    [
      'in JSON with raw line breaks',
      '<tool_call>{"name":"bash","arguments":{"command":"ls\nls"}}</tool_call>',
      [bash('ls\nls')],
    ],
    [
      'in the shape of the API',
      '<tool_call>{"type":"function","function":{"name":"bash","arguments":"{\\"command\\":\\"ls\\"}"}}</tool_call>',
      [bash('ls')],
    ],
    [
      'with a brace too many',
      '<tool_call>{"name":"bash","arguments":{"command":"ls"}}}</tool_call>',
      [bash('ls')],
    ],
    [
      'in a list within the tag',
      '<tool_call>[{"name":"bash","arguments":{"command":"a"}},{"name":"bash","arguments":{"command":"b"}}]</tool_call>',
      [bash('a'), bash('b')],
    ],
    ['with JSON in a function tag', '<function=bash>{"command": "ls"}</function>', [bash('ls')]],
    [
      "by another agent's name for the tool",
      '<function_calls>\n<invoke name="Bash">\n<parameter name="command">ls</parameter>\n</invoke>\n</function_calls>',
      [bash('ls')],
    ],
    [
      'about a closing tag',
      '<tool_call>\n<function=write_file>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\nThe tag </parameter> ends it.\n</parameter>\n</function>\n</tool_call>',
      [{ name: 'write_file', args: { path: 'a.md', content: 'The tag </parameter> ends it.' } }],
    ],
    [
      'that writes a whole call into a file',
      `<tool_call>\n<function=write_file>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\n\`\`\`\n<tool_call>{"name":"bash","arguments":{"command":"ls"}}</tool_call>\n\`\`\`\n</parameter>\n</function>\n</tool_call>`,
      [
        {
          name: 'write_file',
          args: {
            path: 'a.md',
            content: '```\n<tool_call>{"name":"bash","arguments":{"command":"ls"}}</tool_call>\n```',
          },
        },
      ],
    ],
    [
      'with values of other types than text',
      '<tool_call>bash\n<arg_key>command</arg_key><arg_value>echo 5</arg_value><arg_key>timeout</arg_key><arg_value>5</arg_value><arg_key>run_in_background</arg_key><arg_value>true</arg_value></tool_call>',
      [{ name: 'bash', args: { command: 'echo 5', timeout: 5, run_in_background: true } }],
    ],
    [
      'with a list in a tag, and text that looks like a number',
      '<tool_call><function=todo_write><parameter=todos>\n[{"content": "x"}]\n</parameter></function></tool_call><tool_call><function=read_file><parameter=path>\n42\n</parameter></function></tool_call>',
      [
        { name: 'todo_write', args: { todos: [{ content: 'x' }] } },
        { name: 'read_file', args: { path: '42' } },
      ],
    ],
    [
      'of Kimi without a prefix',
      '<|tool_calls_section_begin|><|tool_call_begin|>bash:0<|tool_call_argument_begin|>{"command":"ls"}<|tool_call_end|><|tool_calls_section_end|>',
      [bash('ls')],
    ],
    [
      'of DeepSeek with underscores',
      '<|tool_calls_begin|><|tool_call_begin|>bash<|tool_sep|>{"command":"ls"}<|tool_call_end|><|tool_calls_end|>',
      [bash('ls')],
    ],
    ['of Mistral with an id', '[TOOL_CALLS]bash[CALL_ID]a1b2c3d4e[ARGS]{"command":"ls"}', [bash('ls')]],
    [
      'of Gemma with values of all types',
      '<|tool_call>call:todo_write{todos:[{content:<|"|>a, {b}<|"|>,n:-1.5,done:false}]}<tool_call|>',
      [{ name: 'todo_write', args: { todos: [{ content: 'a, {b}', n: -1.5, done: false }] } }],
    ],
    [
      'in a list of Python',
      "[bash(command='it\\'s', timeout=5), todo_write(todos=[{'content': \"x\", 'done': True}, None])]",
      [
        { name: 'bash', args: { command: "it's", timeout: 5 } },
        { name: 'todo_write', args: { todos: [{ content: 'x', done: true }, null] } },
      ],
    ],
    [
      'in several fences that are all there is',
      '```json\n{"name":"bash","arguments":{"command":"a"}}\n```\n\n```json\n{"tool":"bash","input":{"command":"b"}}\n```\n',
      [bash('a'), bash('b')],
    ],
  ])('%s is read', (_what, text, toolCalls) => {
    expect(read(text)).toMatchObject({ toolCalls, incomplete: false });
    expect(read(text).text.trim()).toBe('');
  });

  const call = '<tool_call>{"name":"bash","arguments":{"command":"rm -rf /"}}</tool_call>';

  test.each([
    ['in inline code', `A call is \`${call}\`.`],
    ['in a fence of tildes', `~~~\n${call}\n~~~\nDone.`],
    ['in a fence within a longer fence', `\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\n${call}\n\`\`\`\`\n`],
    ['in a fence that is never closed', `\`\`\`xml\n${call}`],
    ['in a fence of a list', `- so:\n  \`\`\`\n  ${call}\n  \`\`\`\n`],
    ['in a quotation', `> ${call}\n\nsaid the log.`],
    ['in quotation marks', `It printed "${call}" and stopped.`],
    ['as JSON in an answer', `The result:\n{"name":"bash","arguments":{"command":"ls"}}`],
    ['as JSON before an explanation', `{"name":"bash","arguments":{"command":"ls"}}\nis what it sends.`],
    ['as Python before an explanation', "[bash(command='ls')] is what it sends."],
    [
      'by its tag alone',
      'The <tool_call> tag holds a call, <function=name> names it, and [TOOL_CALLS] is another.',
    ],
    [
      'as an element of HTML',
      '<invoke-list> and <parameter> and <functions=…> are no calls; a < b, Vec<T>, x[0].',
    ],
  ])('%s is quoted and never run', (_what, text) => {
    expect(read(text)).toEqual({ text, reasoning: '', toolCalls: [], incomplete: false });
  });

  test.each([
    ['a fence', `I do it:\n\`\`\`xml\n${call}\n\`\`\`\n`],
    ['a fence of JSON', 'I do it:\n```json\n{"name":"bash","arguments":{"command":"ls"}}\n```'],
    ['the last of several fences', `\`\`\`js\na\n\`\`\`\nSo:\n~~~\n${call}\n~~~`],
  ])('that ends the text in %s is not run, and counts as an attempt', (_what, text) => {
    expect(read(text)).toEqual({ text, reasoning: '', toolCalls: [], incomplete: true });
    expect(read(text, { isLoose: false }).incomplete).toBe(false);
  });

  test('is read again behind a quotation that has ended', () => {
    const { toolCalls, text } = read(`It printed:\n\`\`\`\nok\n\`\`\`\nSo \`this\`:\n${call}`);
    expect({ toolCalls, text }).toEqual({
      toolCalls: [bash('rm -rf /')],
      text: 'It printed:\n```\nok\n```\nSo `this`:\n',
    });
  });

  test('that is thought before a missing opening tag is no call', () => {
    expect(read(`I could ${call} but no.</think>Shall I?`)).toEqual({
      text: 'Shall I?',
      reasoning: expect.stringContaining(call),
      toolCalls: [],
      incomplete: false,
    });
  });

  test('ends what the model says: a result that it makes up is not shown and leads to no other call', () => {
    const ls = '<tool_call>{"name":"bash","arguments":{"command":"ls"}}</tool_call>';
    const text = `${ls}\n<tool_response>\nnothing\n</tool_response>\n${call}`;
    expect(read(text)).toMatchObject({ toolCalls: [bash('ls')], text: '' });
  });

  test('that cannot be read keeps those beside it from running, and all of it is shown', () => {
    const text = `First.\n${call}\n<tool_call>{"name":"bash","arguments":{"command":"x"</tool_call> Then more.`;
    expect(read(text)).toEqual({ text, reasoning: '', toolCalls: [], incomplete: true });
  });

  test('without marks of its own counts only where that is asked for', () => {
    const bare = '{"name":"bash","arguments":{"command":"ls"}}';
    expect(read(bare).toolCalls).toHaveLength(1);
    expect(read(bare, { isLoose: false })).toMatchObject({ text: bare, toolCalls: [] });
    expect(read(call, { isLoose: false }).toolCalls).toHaveLength(1);
  });

  test('of Harmony leaves thoughts and answer where they belong', () => {
    const text =
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes, a < b.<|return|>';
    expect(read(text)).toEqual({ text: 'Yes, a < b.', reasoning: 'Hm.', toolCalls: [], incomplete: false });
  });
});

describe('text without calls', () => {
  test('streams on with hardly anything held back', () => {
    const parser = new TextCallParser({ tools, isLoose: true });
    const text =
      'See [docs](a.md), `x<y>`, List<Map<K, V>> and <div>: if (a < b && c[0]) { "ok": [1] }\n'.repeat(20);
    let given = 0;
    for (const [index, char] of text.split('').entries()) {
      given += parser.push(char).reduce((sum, piece) => sum + piece.text.length, 0);
      expect(index + 1 - given).toBeLessThan(24);
    }
  });

  test('that is JSON for the person streams on too', () => {
    const parser = new TextCallParser({ tools, isLoose: true });
    const given = [...'{"users": [{"name": "bash"}]'].flatMap((char) => parser.push(char));
    expect(given.map(({ text }) => text).join('').length).toBeGreaterThan(20);
  });

  test('and long calls cost the same for each token, however long the message is', () => {
    const line = 'const a = b[0] < c ? `x` : "y"; // ```\n';
    const long = `<tool_call><function=write_file><parameter=content>\n${line.repeat(5_000)}</parameter></function></tool_call>`;
    for (const text of [
      line.repeat(5_000),
      long,
      `{"name":"bash","arguments":{"command":"${'x'.repeat(200_000)}"}}`,
    ]) {
      const started = performance.now();
      const parser = new TextCallParser({ tools, isLoose: true });
      for (let at = 0; at < text.length; at += 4) parser.push(text.slice(at, at + 4));
      parser.end();
      expect(performance.now() - started).toBeLessThan(3_000);
    }
  });

  test('of any kind comes out as it went in, wherever it is cut', () => {
    const word = fc.constantFrom(
      ...[
        '<',
        '[',
        '{',
        '"',
        '`',
        '```',
        '~~~',
        '\n',
        ' ',
        '>',
        'a',
        'é',
        '<tool_call>',
        '</tool_call>',
        'bash',
      ],
      ...[
        '{"name":"bash","arguments":{"command":"ls"}}',
        '<function=',
        '<invoke name="',
        '[TOOL_CALLS]',
        '}',
        '|',
      ],
      ...[
        '<|start|>',
        '<|channel|>',
        'final',
        '<|message|>',
        '<|tool_call>',
        'call:',
        '<arg_key>',
        '</think>',
      ],
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 14 }),
        fc.array(fc.nat(200), { maxLength: 8 }),
        (words, cuts) => {
          const text = words.join('');
          const whole = readPieces([text], { tools });
          expect(readPieces(cutAt(text, cuts), { tools })).toEqual(whole);
          expect(readPieces(text.split(''), { tools })).toEqual(whole);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
