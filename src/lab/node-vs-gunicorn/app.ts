import { z } from 'zod';
import { recordCpuTime } from '../accessLog.ts';
import { valuesSchema } from '../lab.ts';
import type { Part } from '../supervisor/part.ts';
import { burnCpu } from '../workerPool.ts';
import { startWebServer } from '../web/server.ts';
import { options } from './options.ts';

const settingsSchema = z.object({ name: z.string(), log: z.string(), serviceMs: z.number(), values: valuesSchema(options) });

/** The Node server of the comparison: Express in one process, with the three pages of the report. */
export function startApp(input: unknown): Promise<Part> {
  const { values, serviceMs, ...server } = settingsSchema.parse(input);
  const { heavy, 'missing-after': missingAfter } = values;
  // Sets the process title, because monitors find the process by the title's first 15 characters.
  process.title = `lab-${server.name}`;
  return startWebServer({ ...server, faults: values }, (app) => {
    let requests = 0;
    app.use((_request, response, next) => {
      requests += 1;
      response.set('X-Server', server.name);
      if (missingAfter === null || requests <= missingAfter) return next();
      response.status(404).type('text/plain').send('Not found\n');
    });
    app.get(['/', '/ping'], (_request, response) => void response.type('text/plain').send('pong\n'));
    app.get('/timeout', (_request, response) => {
      setTimeout(() => response.type('text/plain').send('waited\n'), serviceMs);
    });
    app.get('/heavy', (_request, response) => {
      const cpuMs = keepThreadBusy(serviceMs, heavy);
      if (cpuMs !== null) recordCpuTime(response, cpuMs);
      response.type('text/plain').send('worked\n');
    });
    return {};
  });
}

/**
 * Blocks the event loop for `ms`. With `block`, it waits without using processor time, for a generator and a target on the same machine.
 * With `burn`, it calculates until it has used this much processor time. Returns the processor time in ms, or null.
 */
function keepThreadBusy(ms: number, how: string): number | null {
  if (how === 'block') {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return null;
  }
  return burnCpu(ms);
}
