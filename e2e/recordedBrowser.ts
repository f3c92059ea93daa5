import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { freePort } from '#lab/freePort.ts';
import { installedBrowser } from '#tools/check/browser.ts';

/** The browser that Holdfast opens for a recording. The test acts as the browser's user. */
export interface RecordedBrowser {
  /**
   * Environment for the Holdfast process that opens the browser. It makes the browser headless, and sets a display variable that is then
   * not used.
   */
  readonly environment: NodeJS.ProcessEnv;
  /** Resolves with the browser's page when the browser is open. */
  page(): Promise<Page>;
  close(): Promise<void>;
}

export async function recordedBrowser(folder: string): Promise<RecordedBrowser> {
  const port = await freePort();
  const program = join(folder, 'browser.sh');
  const installed = installedBrowser() ?? chromium.executablePath();
  await writeFile(program, `#!/bin/sh\nexec '${installed}' --headless --remote-debugging-port=${port} "$@"\n`);
  await chmod(program, 0o755);
  let browser: Browser | null = null;
  return {
    environment: { HOLDFAST_BROWSER: program, DISPLAY: ':none' },
    async page() {
      for (let tries = 0; browser === null; tries += 1) {
        browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`).catch(() => null);
        if (tries > 100) throw new Error('The browser of the recording did not open.');
        if (browser === null) await new Promise((resolve) => setTimeout(resolve, 200));
      }
      const [page] = browser.contexts()[0]?.pages() ?? [];
      if (page === undefined) throw new Error('The browser of the recording has no page.');
      return page;
    },
    async close() {
      await browser?.close();
    },
  };
}
