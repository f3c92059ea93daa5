import { rmSync } from 'node:fs';
import type { LiveSnapshot } from '#contract/replies.ts';
import type { Client } from '#contract/rpc/client.ts';
import { startBackend, type Backend } from '../index.ts';
import type { BackendOptions } from '../options.ts';
import { agreeToEverything } from './agreeing.ts';
import { testOptions } from './options.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

export interface TestBackend {
  readonly backend: Backend;
  /** Client of a user who agrees to everything. */
  readonly client: Client;
  /** Client of a user who has agreed to nothing. */
  readonly stranger: Client;
  readonly dataDirectory: string;
  close(): Promise<void>;
}

/** Starts a real backend with a temporary data directory, which is removed on close. */
export async function startTestBackend(changes: Partial<BackendOptions> = {}): Promise<TestBackend> {
  const dataDirectory = changes.dataDirectory ?? temporaryDirectory();
  const backend = await startBackend({ ...testOptions(dataDirectory), ...changes });
  return {
    backend,
    client: agreeToEverything(backend.client()),
    stranger: backend.client(),
    dataDirectory,
    async close() {
      await backend.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Watches a run until its stream ends. Resolves with all items in order. */
export function watchToEnd(client: Client, runId: string, onItem: (item: LiveSnapshot) => void = () => {}): Promise<LiveSnapshot[]> {
  const items: LiveSnapshot[] = [];
  return new Promise((resolve, reject) => {
    client.open(
      'runs.watch',
      { runId },
      {
        onItem(item) {
          items.push(item);
          onItem(item);
        },
        onEnd: (problem) => (problem ? reject(problem) : resolve(items)),
      },
    );
  });
}
