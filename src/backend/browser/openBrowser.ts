import { join } from 'node:path';
import { mkdir, writeFile } from 'node:fs/promises';
import type { BrowserContext, LaunchOptions, Page } from 'playwright-core';
import { HoldfastError } from '#core/base/errors.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { makeOwnFolder, removeOwnFolder } from '#engine/ownFolder.ts';

/** A file that a page downloads. */
export interface SavedFile {
  readonly url: string;
  readonly name: string;
}

export interface OpenedBrowser {
  /** The browser context; it has at least one tab. */
  readonly context: BrowserContext;
  /** Listens to downloads of a tab. */
  onDownload(page: Page, listener: (file: SavedFile) => void): void;
  /** Ends the browser and removes its profile. May be called after the browser has ended by itself. */
  close(): Promise<void>;
}

interface BrowserOptions {
  readonly program: string;
  readonly headless: boolean;
  /** Whether certificates are verified. */
  readonly verify: boolean;
  /** Additional command-line switches. */
  readonly args?: readonly string[];
  /** Whether scripts of pages run; default: true. */
  readonly runsScripts?: boolean;
}

/** Disables the browser's own requests, and the crash message that covers the page. */
const FLAGS = ['--disable-domain-reliability', '--no-pings', '--disable-session-crashed-bubble', '--hide-crash-restore-bubble'];

/** Keeps the browser from offering to save passwords. In a fresh profile, that offer would cover the page. */
const PREFERENCES = {
  credentials_enable_service: false,
  profile: { password_manager_enabled: false },
  autofill: { profile_enabled: false, credit_card_enabled: false },
};

export const LAUNCH_LIMIT_MS = 60_000;

/**
 * Opens an installed browser with a fresh profile in a temporary folder. Closing the browser removes the folder; if Holdfast is killed, its
 * next start removes it. Service workers are blocked. Throws `NO_DISPLAY` or `BROWSER_FAILED`.
 */
export async function openBrowser({ program, headless, verify, args = [], runsScripts = true }: BrowserOptions): Promise<OpenedBrowser> {
  if (!headless) requireDisplay();
  // Loaded on demand, because few commands need these 3 MB.
  const { chromium } = await import('playwright-core');
  const folder = await makeOwnFolder('browser');
  const removeFolder = (): Promise<void> => removeOwnFolder(folder).catch(() => {});
  try {
    const artifactsDir = join(folder, 'artifacts');
    await mkdir(artifactsDir);
    const profile = join(folder, 'profile');
    await mkdir(join(profile, 'Default'), { recursive: true });
    await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
    const context = await chromium.launchPersistentContext(profile, {
      ...launchOptions(program),
      headless,
      artifactsDir,
      downloadsPath: artifactsDir,
      args: [...FLAGS, ...args],
      // A visible window keeps the size that the user gives it.
      viewport: headless ? { width: 1_280, height: 800 } : null,
      serviceWorkers: 'block',
      javaScriptEnabled: runsScripts,
      ignoreHTTPSErrors: !verify,
    });
    return {
      context,
      onDownload: (page, listener) =>
        void page.on('download', (download) => listener({ url: download.url(), name: download.suggestedFilename() })),
      async close() {
        await context.close().catch(() => {});
        await context
          .browser()
          ?.close()
          .catch(() => {});
        await removeFolder();
      },
    };
  } catch (thrown) {
    await removeFolder();
    throw browserFailed(program, thrown);
  }
}

/** Options of every browser that Holdfast starts: its environment contains no secrets, and Holdfast, not Playwright, ends it on signals. */
export function launchOptions(program: string): LaunchOptions {
  const environment = Object.entries(childEnvironment()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return {
    executablePath: program,
    chromiumSandbox: process.getuid?.() !== 0,
    env: Object.fromEntries(environment),
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: LAUNCH_LIMIT_MS,
  };
}

/** Throws `NO_DISPLAY` if no window can be shown. */
export function requireDisplay(platform: NodeJS.Platform = process.platform, environment: NodeJS.ProcessEnv = process.env): void {
  const hasDisplay = [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some((display) => (display ?? '') !== '');
  if (platform !== 'linux' || hasDisplay) return;
  throw new HoldfastError({
    code: 'NO_DISPLAY',
    message: 'No browser window can be opened: this computer has no display (DISPLAY and WAYLAND_DISPLAY are not set).',
    hint: 'Start Holdfast in a graphical session. Or record in the browser of another computer: save its network log as HAR, and import that file.',
  });
}

/** Returns the error of a browser that did not start. */
export function browserFailed(program: string, thrown: unknown): HoldfastError {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const [first = ''] = text.split('\n', 1);
  return new HoldfastError(
    {
      code: 'BROWSER_FAILED',
      message: `The browser ${program} could not be started: ${first.slice(0, 300)}`,
      hint: 'Start it once by hand to see whether it runs. The variable HOLDFAST_BROWSER names another one.',
    },
    { cause: thrown },
  );
}

/**
 * Features that a headless browser does not need. The two address bar pages of each window take a second of CPU time to start, which the
 * visit or the load needs. The other features are those that Playwright disables itself; they are repeated here because Chromium uses only
 * the last of two such switches.
 */
const FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** The switch that disables these features in Chromium. */
export const DISABLED_FEATURES = `--disable-features=${FEATURES.join(',')}`;

/**
 * Restricts WebRTC, which could otherwise send to any address, including hosts outside the plan. With this policy it sends only through a
 * proxy, and there is none.
 */
export const NO_WEBRTC = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];
