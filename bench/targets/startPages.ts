import type { PageSettings } from './pageSettings.ts';
import { startServer, type StartedServer } from './startServer.ts';

const script = new URL('pageServer.ts', import.meta.url);

export function startPages(settings: PageSettings, core: number | null): Promise<StartedServer> {
  return startServer({ script, settings, core });
}
