/** What a command inside may do. All paths are absolute and real; deeper ones count more than those above them. */
export type SandboxProfile = {
  cwd: string;
  network: boolean;
  /** The private folder that stands for the folders of temporary files. */
  tmp: string;
  tmpFolders: readonly string[];
  writable: readonly string[];
  /** Writable, and cannot be moved away or replaced. */
  pinned: readonly string[];
  /** Readable inside of what is writable or closed. */
  readOnly: readonly string[];
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
