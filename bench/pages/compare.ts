import type { BrowserLoad, Cause } from './browserLoad.ts';
import type { ProxiedRequest } from './proxySettings.ts';

/** A page that the load model has loaded once, with the proxy's log. */
export interface ModelRound {
  readonly pageMs: number;
  readonly requests: readonly ProxiedRequest[];
}
export interface BrowserRound {
  readonly load: BrowserLoad;
  readonly requests: readonly ProxiedRequest[];
}

/**
 * The reason why only one side sends a request: a lazy image, an icon that the browser knows to be missing, or the cause that the browser
 * reports.
 */
type Reason = Exclude<Cause, 'page'> | 'lazy' | 'missing icon' | 'unknown';

interface UnmatchedPath {
  readonly path: string;
  readonly why: Reason;
}

export interface Comparison {
  /** Median number of requests per load. */
  readonly requests: { readonly model: number; readonly browser: number };
  readonly onlyModel: readonly UnmatchedPath[];
  readonly onlyBrowser: readonly UnmatchedPath[];
  /**
   * Share of pairs of requests that are in the same order. All pairs that the browser always sends in one order are compared with the order
   * in the model. null if there is no pair.
   */
  readonly order: number | null;
  /** Median time in ms until the browser's load event, and median page time of the model. */
  readonly pageMs: { readonly model: number; readonly browser: number };
  /** Median time in ms for which requests that both sides send were outstanding. */
  readonly dueMs: { readonly model: number; readonly browser: number };
  /** Median, over page loads, of the total time in ms that tasks took on the main thread until the load event. */
  readonly tasksMs: number;
  readonly scriptsMs: number;
}

/** Compares how the model and a browser have loaded a page. */
export function compare(model: readonly ModelRound[], browser: readonly BrowserRound[]): Comparison {
  const [ofModel, ofBrowser] = [usualPaths(model), usualPaths(browser)];
  const shared = new Set([...ofModel].filter((path) => ofBrowser.has(path)));
  return {
    requests: {
      model: median(model.map(({ requests }) => requests.length)),
      browser: median(browser.map(({ requests }) => requests.length)),
    },
    onlyModel: [...ofModel].filter((path) => !ofBrowser.has(path)).map((path) => ({ path, why: reasonOfModel(path, model, browser) })),
    onlyBrowser: [...ofBrowser].filter((path) => !ofModel.has(path)).map((path) => ({ path, why: reasonOfBrowser(path, browser) })),
    order: compareOrder(model, browser, shared),
    pageMs: { model: median(model.map(({ pageMs }) => pageMs)), browser: median(browser.map(({ load }) => load.loadedMs)) },
    dueMs: {
      model: median(model.map(({ requests, pageMs }) => outstandingMs(requests, shared, (requests[0]?.atMs ?? 0) + pageMs))),
      browser: median(browser.map((round) => outstandingMs(round.requests, shared, loadEndMs(round)))),
    },
    tasksMs: median(browser.map(({ load }) => load.tasksMs)),
    scriptsMs: median(browser.map(({ load }) => load.scriptsMs)),
  };
}

/** Returns the paths that are requested in most rounds. Queries that change each time are removed. */
function usualPaths(rounds: readonly { readonly requests: readonly ProxiedRequest[] }[]): Set<string> {
  const countByPath = (name: (path: string) => string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const { requests } of rounds)
      for (const path of new Set(requests.map((request) => name(request.path)))) counts.set(path, (counts.get(path) ?? 0) + 1);
    return counts;
  };
  const isUsual = (count: number): boolean => 2 * count > rounds.length;
  const whole = countByPath((path) => path);
  const found = new Set([...whole].flatMap(([path, count]) => (isUsual(count) ? [path] : [])));
  const covered = new Set([...found].map(withoutQuery));
  for (const [path, count] of countByPath(withoutQuery)) if (isUsual(count) && !covered.has(path)) found.add(path);
  return found;
}

const withoutQuery = (path: string): string => path.replace(/\?.*/s, '');

function reasonOfModel(path: string, model: readonly ModelRound[], browser: readonly BrowserRound[]): Reason {
  if (browser.some(({ load }) => load.lazy.includes(path))) return 'lazy';
  // A browser remembers that a site lacks this icon.
  const isMissing = model.every(({ requests }) => requests.every((request) => request.path !== path || request.status >= 400));
  return isMissing && /\.(ico|png|svg)$/.test(withoutQuery(path)) ? 'missing icon' : 'unknown';
}

function reasonOfBrowser(path: string, browser: readonly BrowserRound[]): Reason {
  for (const { load } of browser) {
    const cause = load.causes.get(path) ?? [...load.causes].find(([known]) => withoutQuery(known) === path)?.[1];
    if (cause !== undefined) return cause === 'page' ? 'unknown' : cause;
  }
  // DevTools does not report requests that the browser sends for its own interface.
  return 'icon';
}

/**
 * Compares the order of requests. Pairs of images are left out, because a browser orders images by their position on the screen, which HTML
 * does not contain.
 */
function compareOrder(model: readonly ModelRound[], browser: readonly BrowserRound[], shared: ReadonlySet<string>): number | null {
  const images = new Set(
    [...model, ...browser].flatMap(({ requests }) => requests.flatMap(({ path, type }) => (type.startsWith('image/') ? [path] : []))),
  );
  const placesIn = (requests: readonly ProxiedRequest[]): Map<string, number> => {
    const places = new Map<string, number>();
    for (const [place, { path }] of requests.entries()) if (!places.has(path)) places.set(path, place);
    return places;
  };
  const [byModel, byBrowser] = [model, browser].map((rounds) => rounds.map(({ requests }) => placesIn(requests)));
  const share = (rounds: readonly Map<string, number>[] | undefined, first: string, second: string): number =>
    (rounds ?? []).filter((places) => (places.get(first) ?? Infinity) < (places.get(second) ?? -1)).length / (rounds?.length ?? 1);
  let pairs = 0;
  let agreed = 0;
  for (const first of shared)
    for (const second of shared) {
      if (first === second || (images.has(first) && images.has(second)) || share(byBrowser, first, second) < 1) continue;
      pairs += 1;
      agreed += Number(share(byModel, first, second) > 0.5);
    }
  return pairs === 0 ? null : agreed / pairs;
}

/** Returns the time at which a load ended, on the proxy's clock. */
function loadEndMs({ load, requests }: BrowserRound): number {
  return (requests[0]?.atMs ?? 0) - load.beforeMs + load.loadedMs;
}

/** Returns for how long at least one of these requests was outstanding. */
function outstandingMs(requests: readonly ProxiedRequest[], wanted: ReadonlySet<string>, untilMs: number): number {
  let sum = 0;
  let coveredMs = Number.NEGATIVE_INFINITY;
  for (const { path, atMs, endMs } of requests.toSorted((one, other) => one.atMs - other.atMs)) {
    if (!wanted.has(path) || atMs >= untilMs) continue;
    const toMs = Math.min(endMs ?? untilMs, untilMs);
    sum += Math.max(0, toMs - Math.max(atMs, coveredMs));
    coveredMs = Math.max(coveredMs, toMs);
  }
  return sum;
}

export function median(values: readonly number[]): number {
  const sortedValues = values.toSorted((one, other) => one - other);
  const [low, high] = [sortedValues[Math.ceil(sortedValues.length / 2) - 1], sortedValues[Math.floor(sortedValues.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** `agrees`: the differences are within the requirements. `explained`: they are not, but the reasons are named and measured. */
export type Verdict = 'agrees' | 'explained' | 'missed';

/** Maximum relative difference between page times, and minimum share of pairs in the same order. */
const MAX_DIFFERENCE_SHARE = 0.1;
const MIN_SAME_ORDER_SHARE = 0.9;

/** Reasons that do not explain a difference. One is `style`, because the load model reads style sheets as it reads HTML. */
const UNEXPLAINED: ReadonlySet<Reason> = new Set(['unknown', 'style']);

/** Returns the verdict about a comparison. `judgesTime` is false if responses are so fast that the browser's processor time dominates. */
export function verdictOn(
  comparison: Comparison,
  judgesTime: boolean,
): { readonly verdict: Verdict; readonly problems: readonly string[] } {
  const { onlyModel, onlyBrowser, order, pageMs, dueMs: outstanding } = comparison;
  const unexplained = (lone: readonly UnmatchedPath[]): string[] => lone.flatMap(({ path, why }) => (UNEXPLAINED.has(why) ? [path] : []));
  const isNear = (times: { model: number; browser: number }): boolean => Math.abs(times.model / times.browser - 1) <= MAX_DIFFERENCE_SHARE;
  const problems = [
    ...unexplained(onlyModel).map((path) => `only the model asks for ${path}`),
    ...unexplained(onlyBrowser).map((path) => `only the browser asks for ${path}`),
    ...(order !== null && order < MIN_SAME_ORDER_SHARE ? [`only ${(order * 100).toFixed(0)} % of the requests are in the same order`] : []),
    ...(judgesTime && !isNear(pageMs) && !isNear(outstanding) ? ['times differ by more than 10 %'] : []),
  ];
  if (problems.length > 0) return { verdict: 'missed', problems };
  return { verdict: onlyBrowser.length + onlyModel.length === 0 && isNear(pageMs) ? 'agrees' : 'explained', problems };
}
