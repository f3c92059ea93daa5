import type { StartPart } from './supervisor/part.ts';

/** The servers that run in a process of their own, by kind; loaded when they are started and not before. */
export const PARTS: Readonly<Record<string, () => Promise<StartPart>>> = {
  app: async () => (await import('./node-vs-gunicorn/app.ts')).startApp,
  mystery: async () => (await import('./node-vs-gunicorn/mystery.ts')).startMystery,
  'slow-clients': async () => (await import('./slowClients.ts')).startSlowClients,
};
