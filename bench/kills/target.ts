import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server that logs the time of each request. The log shows what a killed load had sent, whether or not the load stored that. */
export interface LoggingTarget {
  urlOf(trial: string): string;
  /** Returns the times of a trial's requests, in ms on the monotonic clock. */
  askedMs(trial: string): readonly number[];
  /** Resolves with true at the first request, or with false after a time-out. */
  waitForRequest(trial: string, withinMs: number): Promise<boolean>;
  forget(trial: string): void;
  close(): Promise<void>;
}

export async function startTarget(): Promise<LoggingTarget> {
  const asked = new Map<string, number[]>();
  const server = createServer((request, response) => {
    const trial = (request.url ?? '/').split('/')[1] ?? '';
    const log = asked.get(trial);
    if (log === undefined) asked.set(trial, [performance.now()]);
    else log.push(performance.now());
    response.end('A page.');
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The target has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    urlOf: (trial) => `${origin}/${trial}/`,
    askedMs: (trial) => asked.get(trial) ?? [],
    async waitForRequest(trial, withinMs) {
      const until = performance.now() + withinMs;
      while (!asked.has(trial) && performance.now() < until) await sleep(20);
      return asked.has(trial);
    },
    forget: (trial) => void asked.delete(trial),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
