import { rmSync } from 'node:fs';
import type { Live } from '#contract/replies.ts';
import type { Client } from '#contract/rpc/client.ts';
import { startBackend, type Backend } from '../index.ts';
import type { BackendOptions } from '../options.ts';
import { agreeing } from './agreeing.ts';
import { testOptions } from './options.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

export interface TestBackend {
  readonly backend: Backend;
  /** Of somebody who agrees to whatever a plan asks for. */
  readonly client: Client;
  /** Of somebody who has agreed to nothing. */
  readonly stranger: Client;
  readonly dataDirectory: string;
  close(): Promise<void>;
}

/** A real backend with a data directory of its own, which is removed when it is closed. */
export async function startTestBackend(changes: Partial<BackendOptions> = {}): Promise<TestBackend> {
  const dataDirectory = changes.dataDirectory ?? temporaryDirectory();
  const backend = await startBackend({ ...testOptions(dataDirectory), ...changes });
  return {
    backend,
    client: agreeing(backend.client()),
    stranger: backend.client(),
    dataDirectory,
    async close() {
      await backend.close();
      rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Watches a run until its stream ends; resolves with everything that came, in order. */
export function watchToEnd(client: Client, runId: string, onItem: (item: Live) => void = () => {}): Promise<Live[]> {
  const items: Live[] = [];
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
