import type { CheckId } from '../checks.ts';
import {
  type ArithmeticExpression,
  type Assignment,
  forEachChild,
  type Redirection,
  type Script,
  type SyntaxNode,
} from './parse.ts';
import { type KnownVariables, readWord, type ShellWord } from './words.ts';

export type ShellAssignment = { name: string; value: ShellWord | undefined; source: string };

/** `text` redirects (here-documents, here-strings) have no target file. */
export type ShellRedirect = {
  mode: 'read' | 'write' | 'descriptor' | 'text';
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
type ShellFlag = { check: CheckId; source: string };

export type ShellTree = {
  /** In the order of the text. */
  commands: readonly SimpleCommand[];
  flags: readonly ShellFlag[];
  /** True when the order of the text may not be the order in which things run. */
  isReordered: boolean;
  /** Pipelines are numbered over all texts that run each other. */
  nextPipeline: number;
};

type Place = { stages: readonly PipeStage[]; host: number | undefined; inFunction: string | undefined };

/** Flattens a script: every simple command at any depth, and a flag for each construct that is not plain. */
export function walkShell(
  script: Script,
  source: string,
  options: { known: KnownVariables; firstPipeline: number },
): ShellTree {
  const { known } = options;
  const commands: SimpleCommand[] = [];
  const flags: ShellFlag[] = [];
  let isReordered = false;
  let pipelines = options.firstPipeline;

  const flag = (check: CheckId, node: SyntaxNode, text: string) =>
    flags.push({ check, source: text.slice(node.pos, node.end) || node.type });

  const addCommand = (place: Place, command: Partial<SimpleCommand> & { source: string }): number => {
    commands.push({ words: [], assignments: [], redirects: [], ...place, ...command });
    return commands.length - 1;
  };

  const visitChildren = (node: SyntaxNode, place: Place, text: string) =>
    forEachChild(node, (child) => visit(child, place, text));

  const visit = (node: SyntaxNode, place: Place, text: string): void => {
    switch (node.type) {
      case 'Script':
        // Text in escaped backticks is decoded first; its positions count in that text.
        visitChildren(node, place, node.source ?? text);
        return;
      case 'Statement':
        if (node.background) flag('background', node, text);
        visitChildren(node, place, text);
        return;
      case 'Pipeline': {
        const pipeline = pipelines++;
        for (const [stage, command] of node.commands.entries()) {
          visit(command, { ...place, stages: [...place.stages, { pipeline, stage }] }, text);
        }
        return;
      }
      case 'Command': {
        const words = [...(node.name ? [node.name] : []), ...node.args].flatMap((word) =>
          word.type === 'Word' ? readWord(word, known) : assignmentWords(word, known),
        );
        const index = addCommand(place, {
          source: text.slice(node.pos, node.end),
          words,
          assignments: node.prefix
            .filter((part) => part.type === 'Assignment')
            .map((assignment) => readAssignment(assignment, known)),
          redirects: node.redirects.map((redirect) => readRedirect(redirect, text, known)),
        });
        visitChildren(node, { ...place, host: index }, text);
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
      case 'For':
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
      case 'ArithmeticFor':
      case 'While':
      case 'Coproc':
        isReordered = true;
        flag('construct', node, text);
        visitChildren(node, place, text);
        return;
      case 'If':
      case 'Case':
      case 'TestCommand':
        flag('construct', node, text);
        visitChildren(node, place, text);
        return;
      case 'ArithmeticCommand':
        flag('arithmetic', node, text);
        visitChildren(node, place, text);
        return;
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
        flag('injection', node, text);
        visitChildren(node, place, text);
        return;
      case 'ProcessSubstitution':
        if (node.operator === '>') flag('process-substitution', node, text);
        visitChildren(node, place, text);
        return;
      case 'ArithmeticExpansion':
        if (!isNumbersOnly(node.expression)) flag('arithmetic', node, text);
        visitChildren(node, place, text);
        return;
      case 'HereDocBody':
        if (node.parts?.some((part) => part.type !== 'Literal')) flag('here-document', node, text);
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

  visit(script, { stages: [], host: undefined, inFunction: undefined }, source);
  return { commands, flags, isReordered, nextPipeline: pipelines };
}

/** Expansions that assign, run a value as a prompt, look a name up indirectly or evaluate arithmetic. */
function changesState(node: Extract<SyntaxNode, { type: 'ParameterExpansion' }>): boolean {
  if (node.prefix === '!' || node.index !== undefined) return true;
  const { operation } = node;
  if (!operation) return false;
  if (operation.type === 'Default') return operation.operator === '=' || operation.operator === ':=';
  return ['Slice', 'Transform', 'Unknown'].includes(operation.type);
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
