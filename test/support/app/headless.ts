import { afterEach } from 'vitest';
import { llmcodeHome } from '../e2e/home.ts';
import { type SampleRepo, sampleRepo } from '../e2e/sample-repo.ts';
import { type ModelServer, type ServerScript, startModelServer } from '../model-servers/index.ts';

export type Started = { home: string; cwd: string; server: ModelServer; repo: SampleRepo };

/** Sets up a scripted server, a repository and a home that knows the server; all gone after the test. */
export function headlessTests(): (
  script: ServerScript,
  settings?: (url: string) => Record<string, unknown>,
) => Promise<Started> {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0)) await cleanup();
  });
  return async (script, settings = () => ({})) => {
    const server = await startModelServer({ api: 'openai-chat', script });
    const repo = sampleRepo();
    cleanups.push(
      () => server.close(),
      () => repo.remove(),
    );
    const provider = { id: 'local', api: 'openai-chat', url: server.url, model: 'test-model' } as const;
    return { home: llmcodeHome([provider], settings(server.url)), cwd: repo.folder, server, repo };
  };
}
