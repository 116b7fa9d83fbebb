import { wordList } from '../word-list.ts';

/**
 * What makes programs run later, or changes how they behave, and is never written without asking. `name/` is a folder
 * at any depth with all below it, `a/b` and `a/b/` the same with more of the path, from the root when it begins
 * with `/`; `*.x` is an ending, anything else the name of a file. All folded.
 *
 * Not here: code, and what names code to be run with it (package.json, Makefile, workflows of a build server). To
 * change those is the work; they run only when somebody runs, commits or pushes them, which is asked for.
 */
const places = {
  'a repository: hooks, filters and programs are named there': `
    .git/ .git .hg/ .svn/ .jj/ .bzr/ .gitmodules .gitattributes .lfsconfig .gitconfig .config/git/ .hgrc`,
  'hooks that a commit runs': `
    .husky/ .huskyrc .lefthook/ .githooks/ lefthook.yml .lefthook.yml lefthook.yaml .lefthook.yaml
    lefthook-local.yml .pre-commit-config.yaml .pre-commit-config.yml .overcommit.yml`,
  'settings of agents: what they may do and what they start': `
    .llmcode/ .claude/ .claude.json .mcp.json .cursor/ .codex/ .gemini/ .opencode/ opencode.json
    opencode.jsonc .crush/ crush.json .crush.json .pi/ .windsurf/ .codeium/ .continue/ .roo/ .kiro/ .qwen/
    .goose/ .config/goose/ .aider.conf.yml .config/opencode/ .config/crush/ .copilot/ .config/github-copilot/`,
  'tasks and settings of editors, which start programs when a folder is opened': `
    .vscode/ .vscode-server/ .idea/ .zed/ .fleet/ .nova/ *.code-workspace *.sublime-project .devcontainer/
    .devcontainer.json .vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .vim/ .config/nvim/ .dir-locals.el
    .dir-locals-2.el .emacs .emacs.el .emacs.d/ .config/emacs/ .config/code/ .config/zed/ .config/helix/`,
  'environments that are entered with the folder, and which programs a name means there': `
    .envrc .direnv/ .config/direnv/ mise.toml .mise.toml .mise.local.toml mise.local.toml .config/mise/ .mise/ .rtx.toml .tool-versions
    rust-toolchain rust-toolchain.toml .autoenv.zsh`,
  'package managers: where packages come from and what runs with them': `
    .npmrc .yarnrc .yarnrc.yml .yarn/releases/ .yarn/plugins/ .pnpmfile.cjs .pnpmfile.mjs .condarc
    .cargo/config .cargo/config.toml .bundle/config .gemrc pip.conf pip.ini .config/pip/ .pydistutils.cfg bunfig.toml uv.toml
    nuget.config .corepack.env .pnp.cjs .pnp.loader.mjs .mvn/ gradle/wrapper/ .bazeliskrc .terraformrc`,
  'shells and logins': `
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
    .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .config/fish/ .config/nushell/ .oh-my-zsh/ .inputrc
    .pam_environment .config/environment.d/ .config/powershell/ /etc/profile /etc/profile.d/ /etc/bash.bashrc
    /etc/environment /etc/zsh/ /etc/ld.so.conf.d/`,
  'what programs run or obey when they start': `
    .tmux.conf .config/tmux/ .screenrc .curlrc .wgetrc .pythonrc .pdbrc sitecustomize.py usercustomize.py
    .gdbinit .lldbinit .irbrc .pryrc .rprofile .psqlrc .sqliterc .ripgreprc .ackrc .lesskey .xinitrc
    .xprofile .xsession .xsessionrc .hushlogin .wezterm.lua .hyper.js`,
  keys: '.ssh/ .gnupg/ .aws/ .azure/ .kube/ .password-store/',
  'what starts by the clock or with the session': `
    .config/systemd/ .local/share/systemd/ .config/autostart/ .local/share/dbus-1/ library/launchagents/
    library/launchdaemons/ .config/plasma-workspace/ .config/upstart/ crontab /etc/cron.d/ /etc/cron.daily/
    /etc/cron.hourly/ /etc/cron.weekly/ /etc/cron.monthly/ /var/spool/cron/ /etc/systemd/ /etc/init.d/
    /etc/xdg/autostart/`,
} as const;

export const protectedPlaces: readonly string[] = Object.values(places).flatMap((list) => wordList(list));

const folders = new Set<string>();
const names = new Set<string>();
const endings: string[] = [];
const pairs: string[] = [];
for (const place of protectedPlaces) {
  if (place.startsWith('*')) endings.push(place.slice(1));
  else if (place.indexOf('/') < place.length - 1 && place.includes('/')) pairs.push(pairOf(place));
  else if (place.endsWith('/')) folders.add(place.slice(0, -1));
  else names.add(place);
}

/** As it stands in `/a/b/c/` with the end of the path marked. */
function pairOf(place: string): string {
  const start = place.startsWith('/') ? `\0${place}` : `/${place}`;
  return place.endsWith('/') ? start : `${start}/\0`;
}

/** `parts` are the folded names along a path from its root. */
export function isProtectedPlace(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? '';
  if (names.has(name) || parts.some((part) => folders.has(part))) return true;
  if (endings.some((ending) => name.endsWith(ending))) return true;
  const whole = `\0/${parts.join('/')}/\0`;
  return pairs.some((pair) => whole.includes(pair));
}
