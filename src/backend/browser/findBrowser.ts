import { accessSync, constants } from 'node:fs';
import { posix, win32 } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';

export const BROWSER_VARIABLE = 'HOLDFAST_BROWSER';

/** What the browser is needed for. The error message names it. */
export type BrowserUse = 'print' | 'record' | 'visit';

const USES: Readonly<Record<BrowserUse, { readonly needs: string; readonly instead: string }>> = {
  print: { needs: 'A PDF needs', instead: 'Or save the report as HTML and print it to a PDF from any browser.' },
  record: { needs: 'A recording needs', instead: 'Or record in your own browser: save its network log as HAR, and import that file.' },
  visit: { needs: 'Watching a page as a visitor needs', instead: 'Or remove the watched pages from the plan.' },
};

type Environment = Readonly<Record<string, string | undefined>>;

export const BROWSER_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
] as const;
export const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'] as const;
const WINDOWS_PROGRAMS = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Chromium\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
] as const;

/** Returns whether the environment variable names a browser. */
export function isBrowserNamed(environment: Environment = process.env): boolean {
  return (environment[BROWSER_VARIABLE] ?? '') !== '';
}

/** Returns possible paths of Chromium-based browsers, most likely first. A named browser is the only candidate. */
export function browserCandidates(platform: NodeJS.Platform, environment: Environment): string[] {
  const configured = environment[BROWSER_VARIABLE];
  if (configured !== undefined && configured !== '') return [configured];
  if (platform === 'win32') {
    const roots = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((name) => getOwn(environment, name) ?? []);
    return WINDOWS_PROGRAMS.flatMap((program) => roots.map((root) => win32.join(root, program)));
  }
  const folders = (environment['PATH'] ?? '').split(posix.delimiter).filter((folder) => posix.isAbsolute(folder));
  const onPath = BROWSER_NAMES.flatMap((name) => folders.map((folder) => posix.join(folder, name)));
  if (platform !== 'darwin') return onPath;
  const homes = ['/Applications', ...(environment['HOME'] === undefined ? [] : [posix.join(environment['HOME'], 'Applications')])];
  return [...MAC_APPS.flatMap((app) => homes.map((home) => posix.join(home, `${app}.app`, 'Contents', 'MacOS', app))), ...onPath];
}

/** Returns the path of an installed browser. Throws `NO_BROWSER` if there is none. */
export function findBrowser(
  use: BrowserUse,
  platform: NodeJS.Platform = process.platform,
  environment: Environment = process.env,
  isProgram: (file: string) => boolean = canRun,
): string {
  const found = browserCandidates(platform, environment).find(isProgram);
  if (found === undefined) throw noBrowser(use, environment[BROWSER_VARIABLE]);
  return found;
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function noBrowser(use: BrowserUse, configured: string | undefined): HoldfastError {
  const { needs, instead } = USES[use];
  return new HoldfastError(
    configured === undefined || configured === ''
      ? {
          code: 'NO_BROWSER',
          message: `${needs} Chromium, Chrome or Edge. None of them was found on this computer.`,
          hint: `Install one (Debian and Ubuntu: apt install chromium), or set its program in the variable ${BROWSER_VARIABLE}. ${instead}`.trimEnd(),
        }
      : {
          code: 'NO_BROWSER',
          message: `The browser that ${BROWSER_VARIABLE} names cannot be run: ${configured}`,
          hint: `Set it to the whole path of Chromium, Chrome or Edge, or leave it empty. ${instead}`.trimEnd(),
        },
  );
}
