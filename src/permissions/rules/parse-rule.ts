import { ownToolName } from '#protocol/tool-names.ts';
import { parseShell } from '../shell/parse.ts';
import { walkShell } from '../shell/walk.ts';
import type { ShellWord } from '../shell/words.ts';
import { spell } from './command-text.ts';
import { type Rule, type RuleAction, type RuleSpec, readTools, writeTools } from './rule.ts';
import { type StarPattern, starPattern } from './star-pattern.ts';

/** Reads `Tool` or `Tool(pattern)`. An unreadable rule gives the reason, for a person. */
export function parseRule(
  text: string,
  options: { action: RuleAction; userHome: string },
): Rule | { problem: string } {
  const trimmed = text.trim();
  const found = /^([A-Za-z_*][\w*.-]*)(?:\(([\s\S]*)\))?$/.exec(trimmed);
  if (!found) return { problem: 'expected a tool name, or a tool name with a pattern in parentheses' };
  const [, name = '', pattern] = found;
  const tool = ownToolName(name);
  if (pattern === undefined) return { text: trimmed, tool, spec: { kind: 'any' } };
  if (pattern.trim() === '') return { problem: 'the pattern in the parentheses is empty' };
  const spec = parseSpec(tool, pattern.trim(), options);
  return 'problem' in spec ? spec : { text: trimmed, tool, spec };
}

type Options = { action: RuleAction; userHome: string };

function parseSpec(tool: string, pattern: string, options: Options): RuleSpec | { problem: string } {
  if (tool === 'bash') return parseCommandSpec(pattern, options);
  if (readTools.includes(tool) || writeTools.includes(tool)) return parsePathSpec(pattern);
  if (tool === 'web_fetch') {
    const domain = /^domain:([\w.*-]+)$/.exec(pattern)?.[1];
    if (domain === undefined) return { problem: 'expected domain:name' };
    return { kind: 'domain', domain: domain.toLowerCase().replace(/\.$/, '') };
  }
  const field = /^([A-Za-z_]\w*):([\s\S]+)$/.exec(pattern);
  if (field && options.action === 'allow') return { problem: 'a rule on one parameter can only ask or deny' };
  return { kind: 'field', name: field?.[1], value: field?.[2] ?? pattern };
}

function parsePathSpec(pattern: string): RuleSpec | { problem: string } {
  if (pattern.startsWith('!')) return { problem: 'a pattern that takes back (!) is not possible in a rule' };
  // Below a base a pattern is anchored, so its first slash stays.
  if (pattern.startsWith('//')) return { kind: 'path', base: 'root', pattern: pattern.slice(1) };
  if (pattern === '~') return { kind: 'path', base: 'home', pattern: '/**' };
  if (pattern.startsWith('~/')) return { kind: 'path', base: 'home', pattern: pattern.slice(1) };
  if (pattern.startsWith('~')) return { problem: 'the home folder of another user is not followed' };
  if (pattern.startsWith('/')) return { kind: 'path', base: 'settings', pattern };
  if (pattern.startsWith('./')) return { kind: 'path', base: 'cwd', pattern: pattern.slice(1) };
  if (pattern.split('/').includes('..')) return { problem: 'a pattern cannot go up with ..' };
  return { kind: 'path', base: 'cwd', pattern };
}

function parseCommandSpec(pattern: string, { action, userHome }: Options): RuleSpec | { problem: string } {
  if (/^\*+$|^:\*$/.test(pattern)) return { kind: 'any' };
  const isPrefix = pattern.endsWith(':*');
  const text = isPrefix ? pattern.slice(0, -2) : pattern;
  const words = simpleWords(text, userHome);
  if (words) return { kind: 'command', patterns: wordPatterns(words, isPrefix) };
  if (isPrefix) return { problem: 'a prefix must be one simple command' };
  if (!text.includes('*')) return { kind: 'text', text, pattern: undefined };
  // Wider than it looks: what stands for `*` may be more commands. Good enough to forbid, not to allow.
  if (action === 'allow') return { problem: 'a rule with * must be one simple command' };
  return { kind: 'text', text, pattern: starPattern(withoutBlanks(text)) };
}

/** The words of a text that is nothing but one simple command. */
function simpleWords(text: string, userHome: string): readonly ShellWord[] | undefined {
  const { script, error } = parseShell(text);
  if (error !== undefined) return undefined;
  const tree = walkShell(script, text, { known: new Map([['HOME', userHome]]), firstPipeline: 0 });
  const [command] = tree.commands;
  const isSimple =
    command &&
    tree.commands.length === 1 &&
    tree.flags.length === 0 &&
    command.words.length > 0 &&
    command.assignments.length === 0 &&
    command.redirects.length === 0 &&
    command.source === text;
  return isSimple ? command.words : undefined;
}

/** Blanks around the signs of the shell do not matter. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** A last `*` as a word of its own also matches nothing; a glued one runs over word borders. */
function wordPatterns(words: readonly ShellWord[], isPrefix: boolean): StarPattern[] {
  const last = words.at(-1);
  const endsOpen = words.length > 1 && last?.kind === 'glob' && /^\*+$/.test(last.pattern);
  const fixed = endsOpen ? words.slice(0, -1) : words;
  let body: string[] = [];
  for (const [index, word] of fixed.entries()) {
    // A star in quotes is a star; only words that are patterns have others.
    const pieces = word.kind === 'glob' ? starPattern(word.source) : [spell(word)];
    const [first = '', ...rest] = pieces;
    const before = body.pop() ?? '';
    body = [...body, `${before}${index > 0 ? ' ' : ''}${first}`, ...rest];
  }
  if (!isPrefix && !endsOpen) return [body];
  return [body, [...body.slice(0, -1), `${body.at(-1) ?? ''} `, '']];
}
