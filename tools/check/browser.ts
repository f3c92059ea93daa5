import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium's flags for tests: as root it cannot use its sandbox, and it has no business on the network. */
export const browserFlags: readonly string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const macApps = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/Applications/Chromium.app/Contents/MacOS/Chromium'];

/** A Chromium that is installed on this machine, or undefined. */
export function installedBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  const candidates = [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    ...(process.platform === 'darwin' ? macApps : []),
  ];
  return candidates.find((file) => existsSync(file));
}
