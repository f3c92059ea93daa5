import { z } from 'zod';
import { tookProcessor } from '../accessLog.ts';
import { faultsSchema } from '../faults.ts';
import type { Part } from '../supervisor/part.ts';
import { burn } from '../workerPool.ts';
import { startWebServer } from '../web/server.ts';

const settingsSchema = z.object({
  name: z.string(),
  log: z.string(),
  serviceMs: z.number(),
  heavy: z.enum(['block', 'burn']),
  /** After this number of requests its routes disappear, as in an incomplete deployment; null: never. */
  missingAfter: z.number().nullable(),
  faults: faultsSchema,
});

/** The Node server of the comparison: Express in one process, with the three pages of the report. */
export function startApp(given: unknown): Promise<Part> {
  const settings = settingsSchema.parse(given);
  // The process title, which monitors find by its first 15 characters.
  process.title = `lab-${settings.name}`;
  return startWebServer(settings, (app) => {
    let requests = 0;
    app.use((_request, response, next) => {
      requests += 1;
      response.set('X-Server', settings.name);
      if (settings.missingAfter === null || requests <= settings.missingAfter) return next();
      response.status(404).type('text/plain').send('Not found\n');
    });
    app.get(['/', '/ping'], (_request, response) => void response.type('text/plain').send('pong\n'));
    app.get('/timeout', (_request, response) => {
      setTimeout(() => response.type('text/plain').send('waited\n'), settings.serviceMs);
    });
    app.get('/heavy', (_request, response) => {
      const cpuMs = keepThreadBusy(settings.serviceMs, settings.heavy);
      if (cpuMs !== null) tookProcessor(response, cpuMs);
      response.type('text/plain').send('worked\n');
    });
    return {};
  });
}

/**
 * Blocks the event loop. `block` takes no processor time, for generator and target on one machine; `burn` calculates until it has used this
 * much processor time, and returns it in ms.
 */
function keepThreadBusy(ms: number, how: 'block' | 'burn'): number | null {
  if (how === 'block') {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return null;
  }
  return burn(ms);
}
