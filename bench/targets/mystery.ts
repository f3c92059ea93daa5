import { join } from 'node:path';
import { readLog } from '#lab/readLog.ts';
import { startServer, type StartedServer } from './startServer.ts';

/** The hidden settings of a mystery server. */
export interface Hidden {
  /** Maximum number of requests processed in parallel, or null for no limit. */
  readonly workers: number | null;
  readonly serviceMs: number;
}

export interface MysteryServer extends StartedServer {
  /**
   * Resolves with the mean working time per response in ms, from the server's own log. Resolves with null if there are no responses or the
   * server has not been stopped yet.
   */
  servedMs(): Promise<number | null>;
}

const labEntry = new URL('../../src/lab/main.ts', import.meta.url);

/** Starts only the mystery server from the practice server `node-vs-gunicorn`. It writes its log to `folder`. */
export async function startMystery(hidden: Hidden, name: string, folder: string, core: number | null): Promise<MysteryServer> {
  const log = join(folder, `${name}.log`);
  const settings = { name, log, port: null, ...hidden };
  const server = await startServer({ script: labEntry, parameters: ['--part', 'mystery'], settings, core });
  return {
    ...server,
    async servedMs() {
      const times = (await readLog(log)).flatMap(({ workMs }) => workMs ?? []);
      return times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0) / times.length;
    },
  };
}
