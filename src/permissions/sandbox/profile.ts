/** What a command inside may do. All paths are absolute and real; deeper ones count more than those above them. */
export type SandboxProfile = {
  cwd: string;
  network: boolean;
  /** Of this machine, where a proxy listens that a command without network may reach. */
  proxyPort?: number | undefined;
  /** The private folder that stands for the folders of temporary files. */
  tmp: string;
  tmpFolders: readonly string[];
  writable: readonly string[];
  /** Writable, and cannot be moved away or replaced. */
  pinned: readonly string[];
  /** Readable inside of what is writable or closed. */
  readOnly: readonly string[];
  /** Guarded places where nothing stands: a mount cannot hold them, so that they are looked for afterwards. */
  absent: readonly string[];
  /** Switches of the kernel among the processes. To root they would be open without any right. */
  switches: readonly string[];
  /** Looks empty, but what of it is named elsewhere can be reached. */
  emptied: readonly string[];
  closedFolders: readonly string[];
  closedFiles: readonly string[];
  /** Files that look empty. */
  blankFiles: readonly string[];
  /** A file that nobody may read. */
  closedFile: string;
  env: Readonly<Record<string, string | undefined>>;
};
