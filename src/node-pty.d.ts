/// <reference path="../node_modules/node-pty/node-pty.d.ts" />
/** The package is installed under the name `node-pty`; its own types call it `@lydell/node-pty`. */
declare module 'node-pty' {
  export * from '@lydell/node-pty';
}
