import { shownText } from './hiddenText.ts';
import { isHere } from './schema/hosts.ts';
import type { Objective, Plan } from './schema/plan.ts';
import { pathOf } from './url.ts';
import type { VisitLine, WatchPage, WatchStep } from './schema/watchPages.ts';

const LONGEST_NAME = 60;

/** A page, a whole journey, or a step of one. */
export const WATCHED_KINDS = ['page', 'journey', 'step'] as const;

/** Something that visits are counted of: by its place in this list. Of a journey it is the whole, then its first page, then each step. */
export interface Watched {
  readonly kind: (typeof WATCHED_KINDS)[number];
  /** Nothing else in the list is called so. */
  readonly name: string;
  /** Which of the watched pages of the plan. */
  readonly place: number;
  readonly page: WatchPage;
  /** null: the page itself, or the whole journey. */
  readonly step: WatchStep | null;
}

/** Everything that visits of a plan are counted of, in its order. */
export function watchedOf({ watchPages = [] }: Pick<Plan, 'watchPages'>): Watched[] {
  const taken = new Set<string>();
  const named = (entry: Watched): Watched => {
    let name = entry.name;
    for (let number = 2; entry.kind !== 'page' && taken.has(name); number += 1) name = `${entry.name} (${number})`;
    taken.add(name);
    return { ...entry, name };
  };
  return watchPages.flatMap((page, place) => {
    const path = pathName(page);
    if (page.steps === undefined) return [named({ kind: 'page', name: page.name ?? path, place, page, step: null })];
    return [
      named({ kind: 'journey', name: page.name ?? `Journey from ${path}`, place, page, step: null }),
      named({ kind: 'step', name: path, place, page, step: null }),
      ...page.steps.map((step) => named({ kind: 'step', name: step.name, place, page, step })),
    ];
  });
}

function pathName({ url }: Pick<WatchPage, 'url'>): string {
  const shown = shownText(url);
  const path = pathOf(shown);
  return path.length > LONGEST_NAME ? `${path.slice(0, LONGEST_NAME - 1)}…` : path;
}

/** What visits of a plan are counted of, by name. */
export function watchPageNames(plan: Pick<Plan, 'watchPages'>): string[] {
  return watchedOf(plan).map(({ name }) => name);
}

/** How many pages the browser of a plan sees in a round, each step of a journey being one. */
export function pagesInRound(plan: Pick<Plan, 'watchPages'>): number {
  return watchedOf(plan).filter(({ kind }) => kind !== 'journey').length;
}

/** The texts that a visitor of a page enters. */
export function filledTexts({ watchPages = [] }: Pick<Plan, 'watchPages'>): string[] {
  return watchPages.flatMap(({ steps = [] }) => steps.flatMap(({ fill = {} }) => Object.values(fill)));
}

/** The host whose browser visits the pages of a plan; null where no page is watched, or this computer's browser does it. */
export function browserHostOf({ watchPages = [], watchFrom }: Pick<Plan, 'watchPages' | 'watchFrom'>): string | null {
  return watchPages.length === 0 || watchFrom === undefined || isHere(watchFrom) ? null : watchFrom;
}

/** Its whole address: a path leads to the first target. */
export function watchPageAddress({ targets }: Pick<Plan, 'targets'>, { url }: { readonly url: string }): string {
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
