export const shells = ['bash', 'zsh', 'fish'] as const;

export type CommandTree = {
  name: string;
  summary: string;
  options: { flags: string[]; summary: string; takesValue: boolean; choices: readonly string[] }[];
  /** Values of its first argument. */
  choices: readonly string[];
  commands: CommandTree[];
};

/** A script that completes subcommands, options and their fixed values; files for everything else. */
export function completionScript(shell: (typeof shells)[number], tree: CommandTree): string {
  switch (shell) {
    case 'bash':
      return bashScript(tree);
    case 'zsh':
      return zshScript(tree);
    case 'fish':
      return fishScript(tree);
  }
}

/** `llmcode threads show` and what can follow it. */
type Place = { path: string[]; tree: CommandTree };

function places(tree: CommandTree, path: string[] = []): Place[] {
  return [{ path, tree }, ...tree.commands.flatMap((each) => places(each, [...path, each.name]))];
}

function wordsAt({ commands, options, choices }: CommandTree): string[] {
  return [...commands.map((each) => each.name), ...choices, ...options.flatMap((option) => option.flags)];
}

/** Options with fixed values: flag -> values. */
function valueCases(tree: CommandTree): [string, string][] {
  const cases = places(tree).flatMap((place) =>
    place.tree.options.flatMap((option) =>
      option.choices.length > 0
        ? option.flags.map((flag) => [flag, option.choices.join(' ')] as [string, string])
        : [],
    ),
  );
  return [...new Map(cases)];
}

function bashScript(tree: CommandTree): string {
  const branches = places(tree).map(
    ({ path, tree: at }) => `    "${path.join(' ')}") words="${wordsAt(at).join(' ')}" ;;`,
  );
  const known = places(tree)
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `"${path.join(' ')}"`);
  const values = valueCases(tree).map(
    ([flag, words]) => `    ${flag}) COMPREPLY=($(compgen -W "${words}" -- "$current")); return ;;`,
  );
  return `# bash completion of llmcode
_llmcode() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place="" next index words
  case "$previous" in
${values.join('\n')}
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    next="\${place:+$place }\${COMP_WORDS[index]}"
    case "$next" in
    ${known.join('|')}) place="$next" ;;
    *) break ;;
    esac
  done
  case "$place" in
${branches.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _llmcode llmcode
`;
}

function zshScript(tree: CommandTree): string {
  const branches = places(tree).map(({ path, tree: at }) => {
    const described = [
      ...at.commands.map((each) => `${each.name}:${each.summary}`),
      ...at.choices.map((choice) => `${choice}:`),
      ...at.options.flatMap((option) => option.flags.map((flag) => `${flag}:${option.summary}`)),
    ];
    return `    ${quote(path.join(' '))}) entries=(${described.map(quote).join(' ')}) ;;`;
  });
  const known = places(tree)
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => quote(path.join(' ')));
  const values = valueCases(tree).map(([flag, words]) => `    ${flag}) compadd -- ${words}; return ;;`);
  return `#compdef llmcode
_llmcode() {
  local place="" next index
  local -a entries
  case "\${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  for ((index = 2; index < CURRENT; index++)); do
    next="\${place:+$place }\${words[index]}"
    case "$next" in
    ${known.join('|')}) place="$next" ;;
    *) break ;;
    esac
  done
  case "$place" in
${branches.join('\n')}
  esac
  _describe 'llmcode' entries
  _files
}
compdef _llmcode llmcode
`;
}

function fishScript(tree: CommandTree): string {
  const lines = ['# fish completion of llmcode', 'complete -c llmcode -f -n __fish_is_first_arg'];
  for (const { path, tree: at } of places(tree)) {
    const condition = fishCondition(path, at);
    for (const each of at.commands)
      lines.push(`complete -c llmcode -n ${quote(condition)} -a ${each.name} -d ${quote(each.summary)}`);
    if (at.choices.length > 0)
      lines.push(`complete -c llmcode -n ${quote(condition)} -a ${quote(at.choices.join(' '))}`);
    for (const option of at.options) lines.push(fishOption(condition, option));
  }
  return `${lines.join('\n')}\n`;
}

function fishCondition(path: readonly string[], at: CommandTree): string {
  const inside = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = at.commands.map((each) => each.name).join(' ');
  const before = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
  return [...inside, ...before].join('; and ') || 'true';
}

function fishOption(condition: string, option: CommandTree['options'][number]): string {
  const flags = option.flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  const value =
    option.choices.length > 0 ? ` -x -a ${quote(option.choices.join(' '))}` : option.takesValue ? ' -r' : '';
  return `complete -c llmcode -n ${quote(condition)} ${flags.join(' ')}${value} -d ${quote(option.summary)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
