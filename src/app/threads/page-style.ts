/** How an exported conversation looks; colours follow the reader's system. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #57606a; --page: #ffffff; --box: #f6f8fa; --line: #d0d7de;
  --accent: #0969da; --added: #dafbe1; --removed: #ffebe9; --bad: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9198a1; --page: #0d1117; --box: #161b22;
  --line: #30363d; --accent: #58a6ff; --added: #12361f; --removed: #3d1418; --bad: #ff7b72; } }
body { margin: 2rem auto; max-width: 52rem; padding: 0 1rem; background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0; }
h3, h4, h5, h6 { font-size: 1.05rem; margin: 1.2rem 0 .4rem; }
.facts, .notice, .path, summary { color: var(--quiet); font-size: .87rem; }
section { margin: 1.4rem 0; }
section.user { border-left: 3px solid var(--accent); padding-left: .9rem; }
section.engine { color: var(--quiet); font-size: .87rem; }
pre, code { font: .85rem/1.45 ui-monospace, monospace; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .7rem; overflow-x: auto;
  white-space: pre-wrap; }
pre.code, pre.diff { white-space: pre; }
:not(pre) > code { background: var(--box); border-radius: 4px; padding: .1rem .3rem; }
details { margin: .4rem 0; }
details.failed > summary { color: var(--bad); }
summary { cursor: pointer; font-family: ui-monospace, monospace; }
.diff span { display: inline-block; min-width: 100%; }
.added { background: var(--added); }
.removed { background: var(--removed); }
.hunk { color: var(--quiet); }
blockquote { border-left: 3px solid var(--line); color: var(--quiet); margin: .5rem 0; padding-left: .9rem; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; }
a { color: var(--accent); }
`;
