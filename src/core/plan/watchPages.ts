import { shownText } from './hiddenText.ts';
import { isHere } from './schema/hosts.ts';
import type { Objective, Plan } from './schema/plan.ts';
import type { VisitLine, WatchPage } from './schema/watchPages.ts';

const LONGEST_NAME = 60;

/** What a watched page is called: its name, else its path. */
export function watchPageName({ name, url }: Pick<WatchPage, 'name' | 'url'>): string {
  if (name !== undefined) return name;
  const shown = shownText(url);
  const path = URL.canParse(shown) ? new URL(shown).pathname : shown;
  return path.length > LONGEST_NAME ? `${path.slice(0, LONGEST_NAME - 1)}…` : path;
}

/** What the watched pages of a plan are called, in its order. */
export function watchPageNames({ watchPages }: Pick<Plan, 'watchPages'>): string[] {
  return (watchPages ?? []).map(watchPageName);
}

/** The host whose browser visits the pages of a plan; null where no page is watched, or this computer's browser does it. */
export function browserHostOf({ watchPages = [], watchFrom }: Pick<Plan, 'watchPages' | 'watchFrom'>): string | null {
  return watchPages.length === 0 || watchFrom === undefined || isHere(watchFrom) ? null : watchFrom;
}

/** Its whole address: a path leads to the first target. */
export function watchPageAddress({ targets }: Pick<Plan, 'targets'>, { url }: Pick<WatchPage, 'url'>): string {
  return new URL(url, targets[0]?.url ?? 'http://localhost/').href;
}

type Visiting = Pick<WatchPage, 'cache' | 'device' | 'line'> & { readonly click?: string | null | undefined };

interface LineProfile {
  readonly latencyMs: number;
  readonly downloadBytesPerSecond: number;
  readonly uploadBytesPerSecond: number;
}

/** The figures of DevTools' own profiles; source: docs/visitors.md. null: the line as it is. */
export const LINE_PROFILES: Readonly<Record<VisitLine, LineProfile | null>> = {
  none: null,
  'fast 4G': { latencyMs: 165, downloadBytesPerSecond: 1_012_500, uploadBytesPerSecond: 168_750 },
  'slow 4G': { latencyMs: 562.5, downloadBytesPerSecond: 180_000, uploadBytesPerSecond: 84_375 },
  '3G': { latencyMs: 2_000, downloadBytesPerSecond: 50_000, uploadBytesPerSecond: 50_000 },
};

/** “phone, slow 4G, filled cache, clicks “Buy””: what is out of the ordinary about a visitor. Empty where nothing is. */
export function visitorWords({ cache, device, line, click }: Visiting): string {
  return [
    ...(device === 'phone' ? ['phone'] : []),
    ...(line === 'none' ? [] : [line]),
    ...(cache === 'filled' ? ['filled cache'] : []),
    ...(click === undefined || click === null ? [] : [`clicks “${click}”`]),
  ].join(', ');
}

/**
 * What is proposed for a page: the largest part of it is painted within 2.5 s in 75 % of visits. Source: web.dev, “Largest Contentful Paint (LCP)”, the
 * threshold of a good page load.
 */
export const PROPOSED_VISITS: Extract<Objective, { kind: 'responseTime' }> = {
  kind: 'responseTime',
  of: 'visits',
  percentile: 75,
  limitMs: 2_500,
};
