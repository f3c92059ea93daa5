import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { freePort } from '#lab/freePort.ts';
import { installedBrowser } from '#tools/check/browser.ts';

/** The browser that Holdfast opens for a recording, in which the test acts as its user. */
export interface RecordedBrowser {
  /** Environment of the Holdfast process that opens the browser: a headless browser, and a display variable, which is not used then. */
  readonly environment: NodeJS.ProcessEnv;
  /** Resolves with the page of the browser when it is open. */
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
