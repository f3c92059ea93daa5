import express from 'express';
import { z } from 'zod';
import { AccessLog } from '../accessLog.ts';
import { listen } from '../listen.ts';
import type { Part } from '../supervisor/part.ts';
import { WorkerPool } from '../workerPool.ts';

const settingsSchema = z.object({
  name: z.string(),
  log: z.string(),
  port: z.number().nullable(),
  serviceMs: z.number(),
  /** How many requests it works on at a time; null: all of them. */
  workers: z.number().nullable(),
});

/**
 * A server that tells nothing about itself: every answer takes the same time, and either all requests are worked on at once or so many
 * at a time with the others waiting in the order in which they came.
 */
export async function startMystery(given: unknown): Promise<Part> {
  const { name, log: logFile, port, serviceMs, workers } = settingsSchema.parse(given);
  const log = await AccessLog.open(logFile);
  const pool = new WorkerPool(workers ?? Infinity);
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use((request, response, next) => {
    log.watch(request, response, name);
    next();
  });
  app.get('/{*path}', async (_request, response) => {
    await pool.run(() => exactly(serviceMs));
    response.type('text/plain').send('Hello, world!');
  });
  const listening = await listen(app, port);
  return {
    facts: { url: listening.url },
    async close() {
      await listening.close();
      await log.close();
    },
  };
}

/** A timer fires up to a millisecond early or late; on the average of many the time is what it should be. */
function exactly(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
