import { showReferences } from './hiddenText.ts';
import { isHere } from './schema/hosts.ts';
import type { Criterion, Plan } from './schema/plan.ts';
import { pathOf } from './url.ts';
import type { VisitLine, WatchPage, WatchStep } from './schema/watchPages.ts';

const MAX_NAME_LENGTH = 60;

export const WATCHED_KINDS = ['page', 'journey', 'step'] as const;

/**
 * An item with its own visit figures, identified by its index. A journey has items for the whole journey, for its first page, and for each
 * step.
 */
export interface WatchedItem {
  readonly kind: (typeof WATCHED_KINDS)[number];
  /** Name, unique in the list. */
  readonly name: string;
  /** Index of the watched page in the plan. */
  readonly place: number;
  readonly page: WatchPage;
  /** The step; null for the page itself or the whole journey. */
  readonly step: WatchStep | null;
}

/** Returns all watched items of a plan in order. */
export function listWatched({ watchPages = [] }: Pick<Plan, 'watchPages'>): WatchedItem[] {
  const taken = new Set<string>();
  const named = (entry: WatchedItem): WatchedItem => {
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
  const shown = showReferences(url);
  const path = pathOf(shown);
  return path.length > MAX_NAME_LENGTH ? `${path.slice(0, MAX_NAME_LENGTH - 1)}…` : path;
}

/** Returns the names of all watched items of a plan. */
export function watchPageNames(plan: Pick<Plan, 'watchPages'>): string[] {
  return listWatched(plan).map(({ name }) => name);
}

/** Returns the number of pages that the browser visits per round; each step of a journey counts as one. */
export function pagesInRound(plan: Pick<Plan, 'watchPages'>): number {
  return listWatched(plan).filter(({ kind }) => kind !== 'journey').length;
}

export function listFilledTexts({ watchPages = [] }: Pick<Plan, 'watchPages'>): string[] {
  return watchPages.flatMap(({ steps = [] }) => steps.flatMap(({ fill = {} }) => Object.values(fill)));
}

/** Returns the host whose browser visits the pages of a plan; null without watched pages or for this computer. */
export function findBrowserHost({ watchPages = [], watchFrom }: Pick<Plan, 'watchPages' | 'watchFrom'>): string | null {
  return watchPages.length === 0 || watchFrom === undefined || isHere(watchFrom) ? null : watchFrom;
}

/** Returns the full URL of a page; a path is relative to the first target. */
export function watchPageAddress({ targets }: Pick<Plan, 'targets'>, { url }: { readonly url: string }): string {
  return new URL(url, targets[0]?.url ?? 'http://localhost/').href;
}

type VisitSettings = Pick<WatchPage, 'cache' | 'device' | 'line'> & { readonly click?: string | null | undefined };

interface LineProfile {
  readonly latencyMs: number;
  readonly downloadBytesPerSecond: number;
  readonly uploadBytesPerSecond: number;
}

/** Values of DevTools' profiles; the source is in docs/visitors.md. null: unthrottled. */
export const LINE_PROFILES: Readonly<Record<VisitLine, LineProfile | null>> = {
  none: null,
  'fast 4G': { latencyMs: 165, downloadBytesPerSecond: 1_012_500, uploadBytesPerSecond: 168_750 },
  'slow 4G': { latencyMs: 562.5, downloadBytesPerSecond: 180_000, uploadBytesPerSecond: 84_375 },
  '3G': { latencyMs: 2_000, downloadBytesPerSecond: 50_000, uploadBytesPerSecond: 50_000 },
};

/** Describes unusual settings of a visitor: “phone, slow 4G, filled cache, clicks “Buy””. Empty without any. */
export function formatVisitor({ cache, device, line, click }: VisitSettings): string {
  return [
    ...(device === 'phone' ? ['phone'] : []),
    ...(line === 'none' ? [] : [line]),
    ...(cache === 'filled' ? ['filled cache'] : []),
    ...(click === undefined || click === null ? [] : [`clicks “${click}”`]),
  ].join(', ');
}

/**
 * Proposed criterion for a page: largest contentful paint within 2.5 s in 75 % of visits. It is the threshold for a good page load in
 * web.dev, “Largest Contentful Paint (LCP)”.
 */
export const PROPOSED_VISITS: Extract<Criterion, { kind: 'responseTime' }> = {
  kind: 'responseTime',
  of: 'visits',
  percentile: 75,
  maxMs: 2_500,
};
