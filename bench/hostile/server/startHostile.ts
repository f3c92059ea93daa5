import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ServerCounts } from './hostileServer.ts';

const readySchema = z.object({ type: z.literal('ready'), ports: z.object({ http: z.int(), https: z.int(), redis: z.int() }) });
const countsSchema = z.object({ counts: z.object({ requests: z.int(), connections: z.int(), statuses: z.record(z.string(), z.int()) }) });

export interface HostileProcess {
  /** Address such as `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly secureUrl: string;
  /** Address such as `127.0.0.1:PORT`. */
  readonly redis: string;
  counts(): Promise<ServerCounts>;
  stop(): Promise<void>;
}

/** Starts a hostile server that ends with this process. */
export async function startHostile(seed: number): Promise<HostileProcess> {
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), [String(seed)]);
  const gone = once(child, 'exit');
  const failed = gone.then(() => {
    throw new Error('The hostile server ended by itself.');
  });
  failed.catch(() => {});
  const next = async (): Promise<unknown> => {
    const [message] = await Promise.race([once(child, 'message'), failed]);
    return message;
  };
  const { ports } = readySchema.parse(await next());
  return {
    url: `http://127.0.0.1:${ports.http}`,
    secureUrl: `https://127.0.0.1:${ports.https}`,
    redis: `127.0.0.1:${ports.redis}`,
    async counts() {
      const reported = next();
      child.send('counts');
      return countsSchema.parse(await reported).counts;
    },
    async stop() {
      child.disconnect();
      await gone;
    },
  };
}
