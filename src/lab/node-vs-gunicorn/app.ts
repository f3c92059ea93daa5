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
  /** After so many requests its routes are gone, as in a deployment that lacks them; null never. */
  missingAfter: z.number().nullable(),
  faults: faultsSchema,
});

/** The Node server of the comparison: Express in one process, with the three pages of the report. */
export function startApp(given: unknown): Promise<Part> {
  const settings = settingsSchema.parse(given);
  // As monitors find it, which know a program by the first 15 letters of its name.
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
 * Answers nothing else meanwhile. `block` takes no processor time, which generator and target share when they are one machine; `burn` calculates until it
 * has had so much of a processor, and returns how much that was in ms.
 */
function keepThreadBusy(ms: number, how: 'block' | 'burn'): number | null {
  if (how === 'block') {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return null;
  }
  return burn(ms);
}
