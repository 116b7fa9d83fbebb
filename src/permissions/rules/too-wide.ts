import { wordList } from '../word-list.ts';
import type { Rule } from './rule.ts';

/** Programs that run what their arguments say, and those that run it under another name. */
const runners = new Set(
  wordList(`
    sh bash zsh dash ksh fish csh tcsh nu pwsh powershell cmd python python2 python3 node deno bun perl ruby php lua npx bunx uvx pipx busybox docker
    podman
  `),
);
const wrappers = new Set(
  wordList(
    'eval exec source env command builtin nohup nice timeout time xargs parallel watch setsid sudo doas su find ssh',
  ),
);

/** A rule that a single yes should not make: every command, every file, or any code through one program. */
export function isTooWide({ tool, spec }: Rule): boolean {
  switch (spec.kind) {
    case 'any':
      return tool === 'bash' || tool.includes('*');
    case 'command': {
      const open = spec.patterns.find((pattern) => pattern.length > 1);
      if (!open) return false;
      const [name = '', ...more] = (open[0] ?? '').trim().split(' ');
      return wrappers.has(name) || (runners.has(name) && more.every((word) => word.startsWith('-')));
    }
    case 'path':
      return spec.base !== 'cwd' && /^\/(\*+\/?)*$/.test(spec.pattern);
    case 'domain':
      return spec.domain === '*' || spec.domain === '*.*';
    case 'text':
    case 'field':
      return false;
  }
}
