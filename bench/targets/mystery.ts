import { join } from 'node:path';
import { readLog } from '#lab/readLog.ts';
import { startServer, type StartedServer } from './startServer.ts';

/** What a mystery server keeps to itself. */
export interface Hidden {
  /** How many requests it works on at a time; null: all of them. */
  readonly workers: number | null;
  readonly serviceMs: number;
}

export interface MysteryServer extends StartedServer {
  /** How long it really worked on a request, from its own log: the mean of all answers, in ms. null before it was stopped, and where it answered nothing. */
  servedMs(): Promise<number | null>;
}

const labEntry = new URL('../../src/lab/main.ts', import.meta.url);

/** The mystery server of the practice server `node-vs-gunicorn`, by itself. Its log is written to `folder`. */
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
