import type { Browser } from 'playwright-core';
import type { Plan } from '#core/plan/schema/plan.ts';
import { readPin } from '#core/plan/pins.ts';
import { isPlainHost } from '#core/plan/schema/url.ts';
import { watchPageAddress } from '#core/plan/watchPages.ts';
import { listTargets } from '#core/plan/url.ts';
import { findBrowser } from '#backend/browser/findBrowser.ts';
import { browserFailed, launchOptions, DISABLED_FEATURES, NO_WEBRTC } from '#backend/browser/openBrowser.ts';
import { type CpuTimes, readCpuTimes } from '#engine/procFiles.ts';

/** A visiting browser, and the computer on which it runs. */
export interface PlacedBrowser {
  readonly browser: Browser;
  /** Name of the browser's host; null for this computer. */
  readonly from: string | null;
  /** Name and version of the browser, as in “Chromium 140.0”. */
  readonly name: string;
  /** Reads the processor times of the browser's computer; null if unknown. */
  readProcessors(): Promise<CpuTimes | null>;
  /** Ends the browser and removes its data. Never rejects. */
  end(): Promise<void>;
}

/** Starts the browser of this computer for visits. Throws `NO_BROWSER` or `BROWSER_FAILED`. */
export async function openOwnBrowser(plan: Plan): Promise<PlacedBrowser> {
  const browser = await launchBrowser(plan);
  return {
    browser,
    from: null,
    name: `Chromium ${browser.version()}`,
    readProcessors: async () => readCpuTimes(),
    end: () => browser.close().catch(() => {}),
  };
}

/** Starts the installed browser headless. It can only reach the hosts of the plan. Throws `NO_BROWSER` or `BROWSER_FAILED`. */
export async function launchBrowser(plan: Plan): Promise<Browser> {
  const program = findBrowser('visit');
  const { chromium } = await import('playwright-core');
  try {
    return await chromium.launch({ ...launchOptions(program), headless: true, args: [DISABLED_FEATURES, ...NO_WEBRTC, hostRules(plan)] });
  } catch (thrown) {
    throw browserFailed(program, thrown);
  }
}

/** Returns the switch that makes a browser resolve only the hosts of a plan, to the addresses that the plan pins. */
export function hostRules(plan: Plan): string {
  return `--host-resolver-rules=${resolverRules(allowedHosts(plan), plan.connections.resolve)}`;
}

/** Returns the hosts that a visit may reach: those of the plan. Names of other hosts do not resolve, so nothing is sent to them. */
export function allowedHosts(plan: Plan): string[] {
  const pages = plan.watchPages ?? [];
  const further = pages.flatMap(({ steps = [] }) => steps.flatMap(({ url }) => (url === undefined ? [] : [{ url }])));
  const addresses = [...listTargets(plan).map(({ url }) => url), ...[...pages, ...further].map((page) => watchPageAddress(plan, page))];
  const others = pages.flatMap(({ otherHosts = [] }) => otherHosts.map((host) => `http://${host}/`));
  return [...new Set([...addresses, ...others].flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname] : [])))];
}

/**
 * Returns resolver rules for Chromium, which also apply to lookups by the browser itself. Throws for a host that Chromium would parse
 * differently. The first matching rule applies, but an exclusion takes precedence over all rules and covers every port. A pinned host is
 * therefore mapped to itself for its other ports. Chromium allows one address per rule, so the first pin of a host and port is used.
 */
export function resolverRules(hosts: readonly string[], pins: readonly string[] = []): string {
  const other = hosts.find((host) => !isPlainHost(host));
  if (other !== undefined) throw new Error(`“${other}” is no host.`);
  const pinned = pins.flatMap((text) => readPin(text) ?? []).filter(({ host }) => hosts.includes(host));
  const isPinned = (host: string): boolean => pinned.some((pin) => pin.host === host);
  return [
    ...pinned.map(({ host, port, address }) => `MAP ${host}:${port} ${address.includes(':') ? `[${address}]` : address}`),
    ...hosts.filter(isPinned).map((host) => `MAP ${host} ${host}`),
    'MAP * ~NOTFOUND',
    ...hosts.filter((host) => !isPinned(host)).map((host) => `EXCLUDE ${host.replaceAll(/[[\]]/g, '')}`),
  ].join(', ');
}
