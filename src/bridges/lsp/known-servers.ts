/** A language server: how it is started and for which languages. Of several for a language the first found counts. */
export type ServerSpec = {
  name: string;
  command: string;
  args: readonly string[];
  languages: readonly string[];
  /** Endings that are not in the table of languages; they count as the first of `languages`. */
  extensions: readonly string[];
  /** How it is installed, for a person. */
  install: string;
  initialization?: Readonly<Record<string, unknown>> | undefined;
};

/** Ending -> language id of the protocol. */
const languages: Readonly<Record<string, string>> = {
  ...{ '.ts': 'typescript', '.mts': 'typescript', '.cts': 'typescript', '.tsx': 'typescriptreact' },
  ...{ '.js': 'javascript', '.mjs': 'javascript', '.cjs': 'javascript', '.jsx': 'javascriptreact' },
  ...{ '.py': 'python', '.pyi': 'python', '.go': 'go', '.rs': 'rust', '.rb': 'ruby', '.php': 'php' },
  ...{ '.c': 'c', '.h': 'c', '.cc': 'cpp', '.cpp': 'cpp', '.cxx': 'cpp', '.hpp': 'cpp', '.hh': 'cpp' },
  ...{ '.java': 'java', '.kt': 'kotlin', '.kts': 'kotlin', '.cs': 'csharp', '.swift': 'swift' },
  ...{ '.lua': 'lua', '.zig': 'zig', '.dart': 'dart', '.sh': 'shellscript', '.bash': 'shellscript' },
};

export const knownServers: readonly ServerSpec[] = [
  spec('typescript-language-server', {
    args: ['--stdio'],
    languages: ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'],
    install: 'npm install -g typescript-language-server typescript',
    // While a project loads, its second server answers from one file alone, and wrongly.
    initialization: { tsserver: { useSyntaxServer: 'never' } },
  }),
  spec('pyright-langserver', {
    args: ['--stdio'],
    languages: ['python'],
    install: 'npm install -g pyright',
  }),
  spec('basedpyright-langserver', {
    args: ['--stdio'],
    languages: ['python'],
    install: 'pip install basedpyright',
  }),
  spec('pylsp', { languages: ['python'], install: 'pip install python-lsp-server' }),
  spec('gopls', { languages: ['go'], install: 'go install golang.org/x/tools/gopls@latest' }),
  spec('rust-analyzer', { languages: ['rust'], install: 'rustup component add rust-analyzer' }),
  spec('clangd', { languages: ['c', 'cpp'], install: 'the clangd package of the system' }),
  spec('ruby-lsp', { languages: ['ruby'], install: 'gem install ruby-lsp' }),
  spec('solargraph', { args: ['stdio'], languages: ['ruby'], install: 'gem install solargraph' }),
  spec('intelephense', { args: ['--stdio'], languages: ['php'], install: 'npm install -g intelephense' }),
  spec('jdtls', { languages: ['java'], install: 'the jdtls package of the system' }),
  spec('kotlin-language-server', { languages: ['kotlin'], install: 'kotlin-language-server' }),
  spec('csharp-ls', { languages: ['csharp'], install: 'dotnet tool install --global csharp-ls' }),
  spec('sourcekit-lsp', { languages: ['swift'], install: 'the Swift toolchain' }),
  spec('lua-language-server', { languages: ['lua'], install: 'the lua-language-server package' }),
  spec('zls', { languages: ['zig'], install: 'zls, in the version of zig' }),
  spec('dart', { args: ['language-server'], languages: ['dart'], install: 'the Dart SDK' }),
  spec('bash-language-server', {
    args: ['start'],
    languages: ['shellscript'],
    install: 'npm install -g bash-language-server',
  }),
];

/** The language id of a file by its ending; undefined for one that no language is known for. */
export function languageOf(ending: string, servers: readonly ServerSpec[]): string | undefined {
  const own = servers.find(({ extensions }) => extensions.includes(ending));
  return own?.languages[0] ?? (Object.hasOwn(languages, ending) ? languages[ending] : undefined);
}

function spec(
  name: string,
  facts: Partial<ServerSpec> & Pick<ServerSpec, 'languages' | 'install'>,
): ServerSpec {
  return { name, command: name, args: [], extensions: [], ...facts };
}
