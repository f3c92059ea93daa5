import type { Browser } from 'playwright-core';
import { HoldfastError, problemOf } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { watchPageAddress } from '#core/plan/watchPages.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { BROWSER_VARIABLE, findBrowser } from '#backend/browser/findBrowser.ts';

const LAUNCH_MS = 30_000;

/** Starts the installed browser without a window, for visits of the pages of a plan alone. Throws `NO_BROWSER` or `BROWSER_FAILED`. */
export async function launchBrowser(plan: Plan): Promise<Browser> {
  const program = installedBrowser();
  const { chromium } = await import('playwright-core');
  try {
    return await chromium.launch({
      executablePath: program,
      headless: true,
      // Chromium refuses to start its sandbox as root.
      chromiumSandbox: process.getuid?.() !== 0,
      args: [`--host-resolver-rules=${resolverRules(allowedHosts(plan))}`],
      env: definedOf(childEnvironment()),
      timeout: LAUNCH_MS,
      // Holdfast ends it itself, once the run is stored.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (thrown) {
    throw failed(program, thrown);
  }
}

/** The hosts that a visit may reach: those of the plan. A page that links to others finds no name there, and nothing is sent. */
export function allowedHosts(plan: Plan): string[] {
  const pages = plan.watchPages ?? [];
  const addresses = [...plan.targets.map(({ url }) => url), ...pages.map((page) => watchPageAddress(plan, page))];
  const others = pages.flatMap(({ otherHosts = [] }) => otherHosts.map((host) => `http://${host}/`));
  return [...new Set([...addresses, ...others].flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname] : [])))];
}

/** Chromium's own rules: they hold for everything that the browser itself would look up, too. */
export function resolverRules(hosts: readonly string[]): string {
  return ['MAP * ~NOTFOUND', ...hosts.map((host) => `EXCLUDE ${host.replaceAll(/[[\]]/g, '')}`)].join(', ');
}

/** As {@link findBrowser}, with what one is needed for here. */
function installedBrowser(): string {
  try {
    return findBrowser();
  } catch (thrown) {
    if (problemOf(thrown).code !== 'NO_BROWSER') throw thrown;
    throw new HoldfastError({
      code: 'NO_BROWSER',
      message: 'To watch a page as a visitor takes Chromium, Chrome or Edge. None of them can be run on this computer.',
      hint: `Install one (Debian and Ubuntu: apt install chromium), or set its program in the variable ${BROWSER_VARIABLE}.`,
    });
  }
}

function definedOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function failed(program: string, thrown: unknown): HoldfastError {
  const [words = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n');
  return new HoldfastError(
    {
      code: 'BROWSER_FAILED',
      message: `The browser ${program} could not be started: ${words}`,
      hint: 'Start it once by hand to see why, or remove the watched pages from the plan.',
    },
    { cause: thrown },
  );
}
