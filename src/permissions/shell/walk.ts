import type { CheckId } from '../checks.ts';
import {
  type ArithmeticExpression,
  type Assignment,
  forEachChild,
  type Redirection,
  type Script,
  type SyntaxNode,
  type WordPart,
} from './parse.ts';
import { isSecretVariable } from './secret-variable.ts';
import { testedFiles } from './test-expression.ts';
import { countAssignments, isPlainVariable } from './variables.ts';
import { type KnownValue, type KnownVariables, readWord, type ShellWord, wordText } from './words.ts';

export type ShellAssignment = { name: string; value: ShellWord | undefined; source: string };

/** `text` redirects (here-documents, here-strings) have no target file; `list` is the word of a loop. */
export type ShellRedirect = {
  mode: 'read' | 'write' | 'descriptor' | 'text' | 'list';
  target: ShellWord | undefined;
  source: string;
};

/** The place of a command in a pipeline; one command may stand in several that lie in each other. */
export type PipeStage = { pipeline: number; stage: number };

/** One simple command anywhere in the text. Without words it only assigns or redirects. */
export type SimpleCommand = {
  source: string;
  words: readonly ShellWord[];
  assignments: readonly ShellAssignment[];
  redirects: readonly ShellRedirect[];
  stages: readonly PipeStage[];
  /** Index of the command in whose words this one stands as a substitution. */
  host: number | undefined;
  /** The function whose body it is in. */
  inFunction: string | undefined;
};

/** Something in the structure of the text that is more than a list of simple commands. */
type ShellFlag = {
  check: CheckId;
  source: string;
  /** Harmless as long as every command in the text only reads. */
  isSoft: boolean;
};

export type ShellTree = {
  /** In the order of the text. */
  commands: readonly SimpleCommand[];
  flags: readonly ShellFlag[];
  /** True when the order of the text may not be the order in which things run. */
  isReordered: boolean;
  /** Pipelines are numbered over all texts that run each other. */
  nextPipeline: number;
};

type Place = {
  stages: readonly PipeStage[];
  host: number | undefined;
  inFunction: string | undefined;
  /** It runs again in the same shell, so a change of folder adds up. */
  inLoop: boolean;
  /** It runs once, in this shell, before all that follows. */
  isStraight: boolean;
};

/** A loop over more words than this is read once, its variable as unknown. */
const maxRounds = 24;
/** With more commands than this loops are not read round by round any more. */
const maxUnrolled = 120;

/** Flattens a script: every simple command at any depth, and a flag for each construct that is not plain. */
export function walkShell(
  script: Script,
  source: string,
  options: { known: KnownVariables; firstPipeline: number },
): ShellTree {
  const known = new Map<string, KnownValue>(options.known);
  const counts = countAssignments(script);
  const commands: SimpleCommand[] = [];
  const flags: ShellFlag[] = [];
  let isReordered = false;
  let pipelines = options.firstPipeline;

  const addFlag = (check: CheckId, node: SyntaxNode, { text, isSoft }: { text: string; isSoft: boolean }) =>
    flags.push({ check, source: text.slice(node.pos, node.end) || node.type, isSoft });
  const flag = (check: CheckId, node: SyntaxNode, text: string) =>
    addFlag(check, node, { text, isSoft: false });
  const note = (check: CheckId, node: SyntaxNode, text: string) =>
    addFlag(check, node, { text, isSoft: true });

  const addCommand = (place: Place, command: Partial<SimpleCommand> & { source: string }): number => {
    const { stages, host, inFunction } = place;
    commands.push({ words: [], assignments: [], redirects: [], stages, host, inFunction, ...command });
    return commands.length - 1;
  };

  const visitChildren = (node: SyntaxNode, place: Place, text: string) =>
    forEachChild(node, (child) => visit(child, { ...place, isStraight: false }, text));

  /** Known from here on when nothing else in the text sets it. */
  const remember = ({ name, value }: ShellAssignment) => {
    if (value?.kind === 'literal' && isPlainVariable(name) && counts.get(name) === 1) {
      known.set(name, value.value);
    }
  };

  /** The body once for each word of the list; once without a value where the words are not known. */
  const visitRounds = (name: string, words: readonly ShellWord[] | undefined, round: () => void) => {
    const values = [...new Map((words ?? []).map((word) => [wordText(word), loopValueOf(word)])).values()];
    const isFollowed =
      counts.get(name) === 1 &&
      values.length > 0 &&
      values.length <= maxRounds &&
      commands.length <= maxUnrolled &&
      !values.includes(undefined);
    for (const value of isFollowed ? values : [undefined]) {
      if (value === undefined) known.delete(name);
      else known.set(name, value);
      round();
    }
    known.delete(name);
  };

  const visit = (node: SyntaxNode, place: Place, text: string): void => {
    switch (node.type) {
      case 'Script':
        // Text in escaped backticks is decoded first; its positions count in that text.
        for (const statement of node.commands) visit(statement, place, node.source ?? text);
        return;
      case 'Statement':
        if (node.background) flag('background', node, text);
        visit(node.command, { ...place, isStraight: place.isStraight && !node.background }, text);
        return;
      case 'AndOr':
        for (const [index, command] of node.commands.entries()) {
          visit(command, { ...place, isStraight: place.isStraight && index === 0 }, text);
        }
        return;
      case 'Pipeline': {
        const pipeline = pipelines++;
        for (const [stage, command] of node.commands.entries()) {
          visit(
            command,
            { ...place, isStraight: false, stages: [...place.stages, { pipeline, stage }] },
            text,
          );
        }
        return;
      }
      case 'Command': {
        const words = [...(node.name ? [node.name] : []), ...node.args].flatMap((word) =>
          word.type === 'Word' ? readWord(word, known) : assignmentWords(word, known),
        );
        const assignments = node.prefix
          .filter((part) => part.type === 'Assignment')
          .map((assignment) => readAssignment(assignment, known));
        if (place.inLoop && changesFolder(words)) flag('directory-change', node, text);
        const index = addCommand(place, {
          source: text.slice(node.pos, node.end),
          words,
          assignments,
          redirects: node.redirects.map((redirect) => readRedirect(redirect, text, known)),
        });
        visitChildren(node, { ...place, host: index }, text);
        if (place.isStraight && words.length === 0)
          for (const assignment of assignments) remember(assignment);
        return;
      }
      case 'Redirected': {
        visit(node.command, place, text);
        const redirects = node.redirects.map((redirect) => readRedirect(redirect, text, known));
        const index = addCommand(place, { source: redirects.map((one) => one.source).join(' '), redirects });
        for (const redirect of node.redirects) visit(redirect, { ...place, host: index }, text);
        return;
      }
      case 'Function': {
        isReordered = true;
        flag('construct', node, text);
        visit(node.body, { ...place, inFunction: node.name.value }, text);
        return;
      }
      case 'For': {
        isReordered = true;
        const words = node.wordlist?.flatMap((word) => readWord(word, known));
        const name = node.name.value;
        const mark = isPlainVariable(name) ? note : flag;
        mark('construct', node, text);
        const source = (words ?? []).map((word) => word.source).join(' ');
        const index = addCommand(place, {
          source: source || `for ${name}`,
          redirects: (words ?? []).map((target) => ({ mode: 'list', target, source: target.source })),
        });
        const inner = { ...place, host: index, isStraight: false };
        for (const word of node.wordlist ?? []) visit(word, inner, text);
        visitRounds(name, words, () => visit(node.body, { ...inner, inLoop: true }, text));
        return;
      }
      case 'Select': {
        isReordered = true;
        flag('construct', node, text);
        // The words of the list are what its body works on.
        const words = (node.wordlist ?? []).flatMap((word) => readWord(word, known));
        const index = addCommand(place, {
          source: words.map((word) => word.source).join(' '),
          redirects: words.map((target) => ({ mode: 'read', target, source: target.source })),
        });
        visitChildren(node, { ...place, host: index }, text);
        return;
      }
      case 'If':
      case 'Case':
        note('construct', node, text);
        visitChildren(node, place, text);
        return;
      case 'While':
        isReordered = true;
        note('construct', node, text);
        visitChildren(node, { ...place, inLoop: true }, text);
        return;
      case 'ArithmeticFor':
      case 'Coproc':
        isReordered = true;
        flag('construct', node, text);
        visitChildren(node, { ...place, inLoop: true }, text);
        return;
      case 'Subshell':
        visitChildren(node, { ...place, inLoop: false }, text);
        return;
      case 'TestCommand': {
        const files = testedFiles(node.expression, (word) => readWord(word, known));
        const mark = files ? note : flag;
        mark('construct', node, text);
        const index = addCommand(place, {
          source: text.slice(node.pos, node.end),
          redirects: (files ?? []).map((target) => ({ mode: 'read', target, source: target.source })),
        });
        visitChildren(node, { ...place, host: index }, text);
        return;
      }
      case 'ArithmeticCommand':
        flag('arithmetic', node, text);
        visitChildren(node, place, text);
        return;
      case 'CommandExpansion':
        // What it prints is a word that is not known; what it runs is judged where it stands.
        if (node.script) note('injection', node, text);
        else flag('injection', node, text);
        visitChildren(node, { ...place, inLoop: false }, text);
        return;
      case 'ArithmeticCommandExpansion':
        flag('injection', node, text);
        visitChildren(node, place, text);
        return;
      case 'ProcessSubstitution':
        if (node.operator === '>') flag('process-substitution', node, text);
        visitChildren(node, { ...place, inLoop: false }, text);
        return;
      case 'ArithmeticExpansion':
        if (!isNumbersOnly(node.expression)) flag('arithmetic', node, text);
        visitChildren(node, place, text);
        return;
      case 'HereDocBody':
        if (node.parts?.some(showsSecret)) flag('here-document', node, text);
        else if (node.parts?.some((part) => part.type !== 'Literal')) note('here-document', node, text);
        visitChildren(node, place, text);
        return;
      case 'ParameterExpansion':
        if (changesState(node)) flag('injection', node, text);
        visitChildren(node, place, text);
        return;
      default:
        visitChildren(node, place, text);
    }
  };

  const start = { stages: [], host: undefined, inFunction: undefined, inLoop: false, isStraight: true };
  visit(script, start, source);
  return { commands, flags, isReordered, nextPipeline: pipelines };
}

/** Expansions that assign, run a value as a prompt, look a name up indirectly or evaluate arithmetic. */
function changesState(node: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): boolean {
  const isPlainIndex = node.index === undefined || /^(\d+|[@*])$/.test(node.index.value);
  if (node.prefix === '!' || !isPlainIndex) return true;
  const { operation } = node;
  if (!operation) return false;
  if (operation.type === 'Slice') {
    return [operation.offset, operation.length].some((word) => word && !/^ ?-?\d+$/.test(word.text));
  }
  if (operation.type === 'Default') return operation.operator === '=' || operation.operator === ':=';
  return ['Transform', 'Unknown'].includes(operation.type);
}

/** `cd` and its like, also behind `builtin` and `command`. */
function changesFolder(words: readonly ShellWord[]): boolean {
  const [first, second] = words.slice(0, 2).map(wordText);
  const name = first === 'builtin' || first === 'command' ? second : first;
  return ['cd', 'pushd', 'popd', 'chdir'].includes(name ?? '');
}

/** The value of a loop variable; undefined when it is known only at run time. */
function loopValueOf(word: ShellWord): KnownValue | undefined {
  if (word.kind === 'literal') return word.value;
  return word.kind === 'glob' ? { pattern: word.pattern, head: word.head } : undefined;
}

function showsSecret(part: WordPart): boolean {
  if (part.type === 'SimpleExpansion') return isSecretVariable(part.text.slice(1));
  return part.type === 'ParameterExpansion' && isSecretVariable(part.parameter);
}

/** Arithmetic over names evaluates their values, which may hold substitutions. */
function isNumbersOnly(expression: ArithmeticExpression | undefined): boolean {
  switch (expression?.type) {
    case 'ArithmeticBinary':
      return isNumbersOnly(expression.left) && isNumbersOnly(expression.right);
    case 'ArithmeticUnary':
      return isNumbersOnly(expression.operand);
    case 'ArithmeticGroup':
      return isNumbersOnly(expression.expression);
    case 'ArithmeticWord':
      return /^\d+$/.test(expression.value) && expression.parts === undefined;
    default:
      return false;
  }
}

function readAssignment(assignment: Assignment, known: KnownVariables): ShellAssignment {
  const { name, value, index, append, text } = assignment;
  const words = value.type === 'Word' ? readWord(value, known) : [];
  const isPlain = index === undefined && !append && words.length === 1;
  return { name, value: isPlain ? words[0] : undefined, source: text };
}

/** `export A=b` passes the assignment as an argument. */
function assignmentWords(assignment: Assignment, known: KnownVariables): ShellWord[] {
  const { value, name } = readAssignment(assignment, known);
  if (value?.kind === 'literal') {
    return [{ kind: 'literal', source: assignment.text, value: `${name}=${value.value}` }];
  }
  const variables = value?.kind === 'dynamic' ? value.variables : [];
  return [{ kind: 'dynamic', source: assignment.text, head: `${name}=`, fragments: [], variables }];
}

function readRedirect(redirect: Redirection, text: string, known: KnownVariables): ShellRedirect {
  const source = text.slice(redirect.pos, redirect.end);
  if (redirect.type === 'HereDoc') return { mode: 'text', target: bodyWord(redirect, known), source };
  if (redirect.type === 'HereString') {
    return { mode: 'text', target: redirect.target && readWord(redirect.target, known)[0], source };
  }
  const targets = redirect.target ? readWord(redirect.target, known) : [];
  const target = targets.length === 1 ? targets[0] : undefined;
  const isNumbered = redirect.descriptor?.type !== 'FileDescriptorVariable';
  switch (redirect.operator) {
    case '<':
      return { mode: isNumbered ? 'read' : 'write', target, source };
    case '<&':
    case '>&': {
      const isDescriptor = target?.kind === 'literal' && /^(\d+|-)$/.test(target.value);
      return { mode: isDescriptor && isNumbered ? 'descriptor' : 'write', target, source };
    }
    default:
      return { mode: 'write', target, source };
  }
}

/** What is expanded in the text of a here-document, as one word. */
function bodyWord(redirect: Extract<Redirection, { type: 'HereDoc' }>, known: KnownVariables): ShellWord {
  const { body } = redirect;
  const { text, pos, end, parts } = body;
  return readWord(
    { type: 'Word', text, value: text, pos, end, parts: parts ?? undefined },
    known,
  )[0] as ShellWord;
}
