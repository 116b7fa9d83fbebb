import { wordList } from '../../word-list.ts';
import type { OptionTable } from '../argv.ts';

/** Options of log, show and diff that only choose and format. Not here: --output, --ext-diff, --textconv, --no-index. */
export const diffOptions: OptionTable = {
  flags: 'abpRsuwz',
  values: 'GSl',
  attached: 'BCDMUX',
  long: wordList(`
    patch no-patch unified= raw patch-with-raw stat? compact-summary numstat shortstat dirstat?
    cumulative summary patch-with-stat name-only name-status submodule? color? no-color color-moved?
    no-color-moved word-diff? word-diff-regex= color-words? no-renames check full-index binary abbrev?
    no-abbrev find-renames? find-copies? find-copies-harder diff-filter= pickaxe-all pickaxe-regex
    relative? no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space
    ignore-blank-lines inter-hunk-context= function-context exit-code quiet minimal patience histogram
    diff-algorithm= no-ext-diff no-textconv src-prefix= dst-prefix= no-prefix cached staged merge-base
    ita-invisible-in-index ignore-submodules? no-indent-heuristic indent-heuristic
  `),
};

/** Those of log, show and reflog. */
export const logOptions: OptionTable = {
  flags: `${diffOptions.flags}cmgiEFPqt`,
  values: `${diffOptions.values}n`,
  attached: diffOptions.attached ?? '',
  numeric: true,
  long: [
    ...(diffOptions.long ?? []),
    ...wordList(`
      oneline pretty? format= graph no-graph decorate? no-decorate decorate-refs=
      decorate-refs-exclude= abbrev-commit no-abbrev-commit max-count= skip= since= after= until=
      before= author= committer= grep= grep-reflog= all-match invert-grep regexp-ignore-case
      basic-regexp extended-regexp fixed-strings perl-regexp merges no-merges first-parent all
      branches? tags? remotes? glob= exclude= reflog walk-reflogs follow full-history
      simplify-by-decoration simplify-merges ancestry-path date= date-order topo-order
      author-date-order reverse relative-date parents children left-right cherry cherry-mark
      cherry-pick left-only right-only boundary source no-mailmap mailmap notes? no-notes count cc
      full-diff clear-decorations expand-tabs? no-expand-tabs show-linear-break?
  `),
  ],
};
