import { wordList } from '../word-list.ts';

/** Folders below the home folder that hold keys, passwords, cookies or letters. */
export const secretHomeFolders = wordList(`
  .ssh .gnupg .aws .azure .kube .docker .password-store .gcloud .config/gcloud .config/gh .config/hub .config/op
  .config/sops .config/rclone .config/doctl .config/github-copilot .config/solana .terraform.d .bitcoin .ethereum
  .electrum .local/share/keyrings .local/share/kwalletd .config/Bitwarden .config/1Password .config/keepassxc
  .config/Signal .config/Slack .config/discord .mozilla .thunderbird .config/google-chrome .config/google-chrome-beta
  .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera .cache/mozilla
  .cache/google-chrome .cache/chromium .var/app snap/firefox snap/chromium Library/Keychains Library/Cookies
  Library/Safari Library/Messages Library/Mail
`).concat(
  ['Google/Chrome', 'Firefox', 'Chromium', 'BraveSoftware', 'Microsoft Edge', 'Slack', 'Signal'].map(
    (name) => `Library/Application Support/${name}`,
  ),
);

/** Files below the home folder, beside those whose names alone say that they are secret. */
export const secretHomeFiles = wordList(`
  .Xauthority .ICEauthority .viminfo .lesshst .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json
  .local/share/opencode/auth.json .cargo/credentials .cargo/credentials.toml .gem/credentials
  .m2/settings-security.xml .config/git/credentials .local/share/fish/fish_history
`);

/** Settings of programs that may hold a token but must be there: shown empty to what runs unasked. */
export const tokenHomeFiles = wordList('.npmrc .yarnrc .yarnrc.yml .config/pip/pip.conf .m2/settings.xml');

export const secretSystemPlaces = wordList(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private
  /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ecdsa_key /etc/ssh/ssh_host_ed25519_key /etc/master.passwd
  /var/spool/cron /var/lib/docker /var/lib/containerd
`);

/** What of `/proc` is about the machine and can be written by its root, who needs no further right for it. */
export const kernelSwitches = wordList(`
  /proc/sys /proc/sysrq-trigger /proc/irq /proc/bus /proc/fs /proc/acpi /proc/scsi /proc/asound /proc/mtrr
  /proc/pressure /proc/dynamic_debug
`);

/** What lies in `/run` and programs cannot do without. */
export const neededRunPlaces = wordList('/run/current-system /run/booted-system /run/opengl-driver');

/** Where package managers and compilers keep what they fetched and made, below the home folder. */
export const cacheFolders = wordList(`
  .npm .cache .cargo/registry .cargo/git go/pkg .gradle/caches .gradle/daemon .gradle/wrapper .gradle/native
  .m2/repository .local/share/pnpm .local/state/pnpm .pnpm-store .yarn/berry .bun/install/cache .nuget/packages
  .pub-cache .ivy2/cache .sbt .coursier .conan .conan2 .stack .cabal/packages .deno .local/share/uv
  .local/share/virtualenvs .rustup/tmp .rustup/downloads Library/Caches
`);

/** Variables that send a cache elsewhere where its folder below the home folder cannot be written. */
export const cacheVariables: readonly (readonly [name: string, folder: string])[] = [
  ['npm_config_cache', '.npm'],
  ['GOCACHE', '.cache/go-build'],
  ['PIP_CACHE_DIR', '.cache/pip'],
  ['UV_CACHE_DIR', '.cache/uv'],
  ['YARN_CACHE_FOLDER', '.cache/yarn'],
  ['CCACHE_DIR', '.cache/ccache'],
];

/** Variables that lead to agents, screens and sockets of the person's session. */
export const sessionVariables = wordList(`
  SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS GIT_ASKPASS GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR
  WAYLAND_DISPLAY DISPLAY XAUTHORITY DOCKER_HOST CONTAINER_HOST TMUX STY VSCODE_IPC_HOOK_CLI VSCODE_GIT_IPC_HANDLE
  TMP TEMP
`);

/** In the folder of a repository: what makes git run programs. */
export const gitControlNames = wordList('hooks config config.worktree info/attributes commondir gitdir');

/** In the workspace, also after a person has said yes to a command: what decides what an agent may do or starts. */
export const agentNames = wordList(
  '.llmcode .claude .cursor .codex .gemini .opencode .crush .mcp.json .gitmodules .envrc .direnv .ssh .gnupg .aws',
);
