import express, { type Express } from 'express';
import { AccessLog } from '../accessLog.ts';
import { makeFaults, type FaultSettings } from '../faults.ts';
import { listen } from '../listen.ts';
import type { Part } from '../supervisor/part.ts';
import { answerFailure } from './failure.ts';

export interface WebServerSettings {
  /** As the log calls it. */
  readonly name: string;
  readonly log: string;
  readonly faults?: FaultSettings;
  readonly port?: number | null;
}

/**
 * One of our own servers with its access log and its faults. `addRoutes` adds what it answers and returns what else the part can do;
 * the promise resolves when it listens.
 */
export async function startWebServer(
  { name, log: file, faults: wanted, port = null }: WebServerSettings,
  addRoutes: (app: Express) => Pick<Part, 'commands'> & { close?: () => Promise<void> },
): Promise<Part> {
  const log = await AccessLog.open(file);
  const faults = wanted ? await makeFaults(wanted) : null;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use((request, response, next) => {
    log.watch(request, response, name);
    next();
  });
  if (faults) app.use(faults.handler);
  const { commands = {}, close } = addRoutes(app);
  app.use(answerFailure);
  const listening = await listen(app, port);
  return {
    facts: { url: listening.url },
    commands,
    async close() {
      await listening.close();
      await close?.();
      await faults?.close();
      await log.close();
    },
  };
}
