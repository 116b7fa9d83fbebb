import type { DecisionReason } from '#protocol/permission.ts';

/**
 * Every named check with the sentence that a person reads. The ids are a contract: scripts and rule tests
 * compare them. `permissions check` prints them, the dialog shows them.
 */
const sentences = {
  // What a command must never do, in any mode.
  'delete-root': 'deletes the root, a system folder, a home folder or a parent of the workspace',
  'fork-bomb': 'starts copies of itself without end',
  'raw-disk-write': 'writes to a raw device',
  'disk-redirect': 'redirects its output onto a raw device',
  'format-disk': 'formats or repartitions a disk',
  'world-writable-root': 'changes owner or rights of the root, a system folder or a home folder',
  power: 'stops or restarts the machine',
  kernel: 'loads or removes kernel code',
  'kill-all': 'kills every process',
  'system-file': 'changes a file that decides who may do what on this machine',
  'remote-code': 'runs what it fetches from the network',
  'reverse-shell': 'gives a shell to another machine',
  exfiltration: 'sends credentials to another machine',
  'own-settings': 'changes the settings that decide what the agent may do',
  'agent-unsafe': 'starts an agent with its safety off',

  // Why a command is not plainly read-only.
  'text-hidden': 'holds invisible, control or look-alike characters: what is shown may not be what runs',
  newline: 'holds a carriage return: a terminal shows other text than what runs',
  'pipe-chain': 'is a long chain of pipes',
  chain: 'runs many commands one after the other',
  'too-long': 'is longer than what is analysed',
  syntax: 'could not be read as a shell command',
  'rm-rf': 'deletes folders with all that is in them',
  injection: 'holds a substitution or a value that is known only when it runs',
  'process-substitution': 'holds a process substitution',
  'here-document': 'holds a here-document whose text runs something',
  overwrite: 'redirects into a file',
  redirect: 'reads from or writes to more than plain files',
  assignment: 'sets a variable that may change what runs',
  'state-builtin': 'changes the state of the shell',
  arithmetic: 'holds arithmetic, which may run code',
  construct: 'holds a shell construct that is not followed',
  background: 'starts something in the background',
  'command-word': 'what it runs is known only when it runs',
  'unknown-program': 'may do more than read',
  'shadowed-program': 'lies in a folder of the workspace and runs in place of the program of that name',
  'repository-program': 'the settings of the repository name a program that git would run',
  option: 'is not known to only read',
  'sub-language': 'has a script that may do more than read',
  glob: 'has a pattern that could expand to an option',
  wrapper: 'runs another program through a wrapper',
  'recursive-ops': 'runs a program on what is found',
  interpreter: 'runs code in an interpreter',
  'bare-interpreter': 'starts an interpreter that reads code from its input',
  'directory-change': 'changes to a folder that is not known',
  network: 'reaches the network',
  'network-upload': 'sends data to another machine or service',
  'permission-change': 'changes owner or rights of files',
  packages: 'installs or removes packages',
  privilege: 'runs with other rights',
  system: 'changes the machine outside the workspace',
  'other-agent': 'starts another agent',
  'env-leak': 'prints variables that may hold secrets',
  credentials: 'touches a file that holds credentials',
  'zsh-builtin': 'is a zsh module command',
  'unsupported-shell': 'is for a shell that is not analysed',
  'language-server': 'starts a language server, which may run code of this project and stays until the end',

  // Paths.
  'path-invalid': 'is not a usable path',
  'path-loop': 'leads in a circle of links',
  'path-is-folder': 'is a folder, not a file',
  'path-deceptive': 'has control or invisible characters in its name',
  'path-tilde': 'looks like the home folder of another user',
  'special-file': 'is a device, a pipe or a socket',
  'outside-read': 'lies outside the workspace',
  'outside-write': 'lies outside the workspace',
  'secret-read': 'holds secrets',
  'secret-write': 'holds secrets',
  'protected-write': 'is a protected file: it can make programs run later or change how they behave',
  'hard-link': 'has more than one hard link, so another file would change with it',

  // What decided when no check stood in the way.
  'rule-deny': 'a rule denies it',
  'rule-ask': 'a rule asks for it',
  'rule-allow': 'a rule allows it',
  'mode-plan': 'plan mode changes nothing and runs only what reads',
  'mode-read-only': 'read-only mode changes nothing and runs only what reads',
  'mode-prompt-write': 'prompt mode asks before a file is changed',
  'mode-prompt-exec': 'commands that do more than read are asked for',
  'other-provider': 'gets the question and what is attached, and it may cost',
  'mode-prompt-net': 'the network is asked for',
  'mode-allow-read': 'reading in the workspace needs no permission',
  'mode-allow-write': 'the mode allows changes in the workspace',
  scratch: 'lies in the folder for temporary files of this thread',
  'mode-allow-exec': 'the mode allows commands',
  'mode-allow-net': 'the mode allows the network',
  sandboxed: 'it stays in the workspace, and the sandbox holds it',
  'read-only-command': 'every part of the command only reads',
  harmless: 'it touches nothing outside the conversation',
} as const;

export type CheckId = keyof typeof sentences;

/** False for what somebody else says of a call: a hook, the guard against repetition, the sandbox. */
export function isCheckOfRules(check: string): check is CheckId {
  return Object.hasOwn(sentences, check);
}

/** `subject` is the piece of the call that the check is about, in its own spelling. */
export function reason(check: CheckId, subject?: string): DecisionReason {
  const sentence = sentences[check];
  return { check, text: subject === undefined ? sentence : `${shorten(subject)}: ${sentence}` };
}

/** Of a change by a file tool: several files are asked for in one sentence. */
const joined: readonly string[] = [
  'mode-prompt-write',
  'outside-read',
  'outside-write',
  'protected-write',
  'secret-write',
];
const namedSubjects = 3;

/** The same reason for several files becomes one that names them. */
export function joinReasons(reasons: readonly DecisionReason[]): DecisionReason[] {
  const subjects = new Map<string, string[]>();
  const first = reasons.filter(({ check, text }) => {
    const end = `: ${sentences[check as CheckId]}`;
    if (!joined.includes(check) || !text.endsWith(end)) return true;
    const subject = text.slice(0, -end.length);
    const known = subjects.get(check);
    if (known) known.push(subject);
    else subjects.set(check, [subject]);
    return known === undefined;
  });
  return first.map((each) => {
    const names = [...new Set(subjects.get(each.check))];
    if (names.length < 2) return each;
    const more = names.length - namedSubjects;
    const shown = names.slice(0, namedSubjects).join(', ') + (more > 0 ? ` and ${more} more` : '');
    return { ...each, text: `${shown}: ${sentences[each.check as CheckId]}` };
  });
}

/** The whole call stands in the dialog anyway; a reason names only the piece: how it begins, and what a path ends in. */
function shorten(subject: string): string {
  const line = subject.replaceAll(/\s+/g, ' ').trim();
  if (line.length <= 120) return line;
  return `${line.slice(0, 70).toWellFormed()}…${line.slice(-49).toWellFormed()}`;
}
