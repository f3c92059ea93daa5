import type { Browser } from 'playwright-core';
import type { Plan } from '#core/plan/schema/plan.ts';
import { watchPageAddress } from '#core/plan/watchPages.ts';
import { findBrowser } from '#backend/browser/findBrowser.ts';
import { browserFailed, launchOptions } from '#backend/browser/openBrowser.ts';

/** Starts the installed browser without a window, for visits of the pages of a plan alone. Throws `NO_BROWSER` or `BROWSER_FAILED`. */
export async function launchBrowser(plan: Plan): Promise<Browser> {
  const program = findBrowser('visit');
  const { chromium } = await import('playwright-core');
  try {
    return await chromium.launch({
      ...launchOptions(program),
      headless: true,
      args: [`--host-resolver-rules=${resolverRules(allowedHosts(plan))}`],
    });
  } catch (thrown) {
    throw browserFailed(program, thrown);
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
