import { z } from 'zod';
import { runOnWorker } from '../accessLog.ts';
import { faultOptions } from '../faults.ts';
import { valuesSchema } from '../lab.ts';
import type { Part } from '../supervisor/part.ts';
import { startWebServer } from '../web/server.ts';
import { WorkerPool } from '../workerPool.ts';

const settingsSchema = z.object({
  name: z.string(),
  log: z.string(),
  port: z.number().nullable(),
  serviceMs: z.number(),
  /** Maximum number of requests processed in parallel, or null for no limit. */
  workers: z.number().nullable(),
  faults: valuesSchema(faultOptions),
});

/**
 * Starts a server with hidden parameters. Every response takes the same time. Either all requests are processed at once, or only a fixed
 * number of them while the others wait in order.
 */
export function startMystery(input: unknown): Promise<Part> {
  const { serviceMs, workers, ...server } = settingsSchema.parse(input);
  const pool = new WorkerPool(workers ?? Infinity);
  return startWebServer(server, (app) => {
    app.get('/{*path}', async (_request, response) => {
      await runOnWorker(pool, response, () => sleepExactly(serviceMs));
      response.type('text/plain').send('Hello, world!');
    });
    return {};
  });
}

/** Sleeps for `ms`, within the accuracy of a timer of about 1 ms. */
function sleepExactly(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
