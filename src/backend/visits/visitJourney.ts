import { setTimeout as after } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { truncateName } from '#core/base/foreignNames.ts';
import type { WatchStep } from '#core/plan/schema/watchPages.ts';
import { nowMs } from '#backend/monitors/source.ts';
import { clickAndTime, type Clicked, enterAndTime, enterInto } from './click.ts';
import { pickFilmstrip, type Frame } from './film.ts';
import { type PageReading, shiftReading } from './pageTimes.ts';
import { openTab, type SpanMeasurement, type Tab, type Visitor } from './tab.ts';
import {
  MAX_VISIT_MS,
  netErrorIn,
  NO_RESPONSE,
  NOT_LOADED,
  readPage,
  findRefusal,
  type VisitFindings,
  type SeenVisit,
  seePage,
  loadingTimesOf,
} from './visitPage.ts';

/** Maximum time to wait for the requests of a step, in addition to the navigation itself. */
const MAX_RESPONSE_MS = 10_000;
const POLL_INTERVAL_MS = 50;
const MAX_TITLE_LENGTH = 80;

/** A step of a journey with the addresses and texts for this visitor. */
export type VisitorStep = Omit<WatchStep, 'url' | 'fill'> & {
  readonly address: string | null;
  readonly fill: readonly { readonly field: string; readonly text: string; readonly isSecret: boolean }[];
};

/**
 * Walks a journey in a browser context. Returns the whole journey, then each step that was reached; a failed step is the last. Rejects only
 * if the browser has ended.
 */
export async function visitJourney(
  visitor: Visitor,
  first: string,
  steps: readonly VisitorStep[],
  context: BrowserContext,
): Promise<SeenVisit[]> {
  const tab = await openTab(visitor, context);
  try {
    const secrets: string[] = [];
    let last = await seePage(tab, visitor.address);
    const seenVisits = [last];
    const names = [first, ...steps.map(({ name }) => name)];
    for (const step of steps) {
      if (last.seen.problem !== null) break;
      last = await takeStep(tab, step, secrets);
      seenVisits.push(last);
    }
    return [journeyVisit(seenVisits, names[seenVisits.length - 1] ?? first), ...seenVisits];
  } finally {
    await tab.close();
  }
}

/** Takes one step. `secrets` are entered texts that no picture may show; the step adds the texts that it enters. */
async function takeStep(tab: Tab, step: VisitorStep, secrets: string[]): Promise<SeenVisit> {
  const visit = step.address === null ? await enterAndClick(tab, step, secrets) : await seePage(tab, step.address);
  const problem = visit.seen.problem ?? (await findMismatch(tab.page, step));
  // All secrets so far are searched for, because any later page may show the entered texts.
  const isCovered = await showsSecret(tab.page, secrets);
  return { ...visit, seen: { ...visit.seen, problem }, frames: isCovered ? [] : visit.frames };
}

/** Enters texts and clicks. Times count from the click, because a visitor does not wait before it. */
async function enterAndClick(tab: Tab, { fill, click }: VisitorStep, secrets: string[]): Promise<SeenVisit> {
  const { page } = tab;
  for (const { field, text, isSecret } of fill) {
    const entered = await enterInto(page, field, text);
    if (isSecret || entered.isPassword) secrets.push(text);
    if (entered.problem !== null) return failedStep(tab, await tab.begin(), entered.problem, secrets);
  }
  const isCovered = await showsSecret(page, secrets);
  const formerMs = await originOf(page);
  const stretch = await tab.begin();
  const clicked = await (click === undefined ? enterAndTime(page, fill.at(-1)?.field ?? '') : clickAndTime(page, click));
  if (clicked.atMs === null) return failedStep(tab, stretch, clicked.problem ?? 'the page did not respond to the click', secrets);
  const late = await waitForRequests(tab);
  const reading = await readPage(page);
  const rest = await stretch.end();
  const isOther = reading !== null && formerMs !== null && Math.abs(reading.originMs - formerMs) > 1;
  const since = reading === null ? null : shiftReading(reading, clicked.atMs, isOther);
  const seenVisitFindings = isOther ? valuesOfNewPage(since, rest) : valuesOfSamePage(since, rest, clicked, tab);
  // If the previous page showed a password, only pictures of the new page are kept.
  const fromMs = isCovered ? (isOther && reading !== null ? reading.originMs : Number.POSITIVE_INFINITY) : clicked.atMs;
  const failed = findRefusal(tab.refusals.status) ?? netErrorIn(tab.refusals.failure ?? '') ?? late;
  return {
    beganMs: stretch.beganMs,
    seen: { ...seenVisitFindings, problem: failed ?? (reading === null ? NO_RESPONSE : seenVisitFindings.problem) },
    frames: await picturesFrom(tab, clicked.atMs, fromMs, seenVisitFindings.largestPaintMs, secrets),
  };
}

/** Returns the values after a click that led to another document. */
function valuesOfNewPage(since: PageReading | null, rest: SpanMeasurement): VisitFindings {
  return { ...loadingTimesOf(since), ...rest, clickMs: null, problem: since?.largest.length === 0 ? 'nothing was painted' : null };
}

/**
 * Returns the values after a click within the same document. The visitor waited until the next paint or the last response, whichever came
 * later.
 */
function valuesOfSamePage(
  since: PageReading | null,
  rest: SpanMeasurement,
  { clickMs, atMs, problem }: Clicked,
  { traffic }: Tab,
): VisitFindings {
  const times = loadingTimesOf(since);
  const cameMs = traffic.lastResponseMs === null || atMs === null ? 0 : traffic.lastResponseMs - atMs;
  const waitedMs = clickMs === null ? null : Math.max(clickMs, cameMs);
  return {
    ...rest,
    firstByteMs: null,
    firstPaintMs: clickMs,
    largestPaintMs: waitedMs,
    usableMs: waitedMs === null ? null : Math.max(waitedMs, ...(since?.tasks ?? []).map(({ atMs: begins, tookMs }) => begins + tookMs)),
    layoutShift: times.layoutShift,
    clickMs,
    problem,
  };
}

/** Waits for the requests that a click caused, and for their follow-up requests. Returns why that failed, or null. */
async function waitForRequests({ page, traffic }: Tab): Promise<string | null> {
  const beganMs = nowMs();
  for (;;) {
    await after(POLL_INTERVAL_MS);
    const tookMs = nowMs() - beganMs;
    if (tookMs > MAX_VISIT_MS) return NOT_LOADED;
    if (traffic.isLeaving || (traffic.isWaiting && tookMs < MAX_RESPONSE_MS)) continue;
    try {
      await page.waitForLoadState('load', { timeout: MAX_VISIT_MS - tookMs });
    } catch {
      return NOT_LOADED;
    }
    if (!traffic.isLeaving && (!traffic.isWaiting || nowMs() - beganMs >= MAX_RESPONSE_MS)) return null;
  }
}

/** Returns a failed step with a picture of the page. */
async function failedStep(
  tab: Tab,
  stretch: Awaited<ReturnType<Tab['begin']>>,
  problem: string,
  secrets: readonly string[],
): Promise<SeenVisit> {
  const rest = await stretch.end();
  const jpeg = (await showsSecret(tab.page, secrets)) ? null : await tab.look();
  return {
    beganMs: stretch.beganMs,
    seen: { ...loadingTimesOf(null), ...rest, clickMs: null, problem },
    frames: pickFilmstrip(jpeg === null ? [] : [{ atMs: rest.tookMs, jpeg }]),
  };
}

async function picturesFrom(
  tab: Tab,
  clickedMs: number,
  fromMs: number,
  lastMs: number | null,
  secrets: readonly string[],
): Promise<Frame[]> {
  const frames = tab.framesFrom(clickedMs).filter(({ atMs }) => atMs >= fromMs - clickedMs);
  const isLast = lastMs === null || frames.some(({ atMs }) => atMs >= lastMs);
  const jpeg = isLast || (await showsSecret(tab.page, secrets)) ? null : await tab.look();
  return pickFilmstrip(jpeg === null || lastMs === null ? frames : [...frames, { atMs: lastMs, jpeg }]);
}

/** Returns why the page is not the expected one, or null. */
async function findMismatch(page: Page, { title, path }: Pick<WatchStep, 'title' | 'path'>): Promise<string | null> {
  if (title === undefined && path === undefined) return null;
  const found = truncateName(await page.title().catch(() => ''), MAX_TITLE_LENGTH);
  if (title !== undefined && found !== truncateName(title, MAX_TITLE_LENGTH)) return `the page is called “${found}”, not “${title}”`;
  const at = URL.canParse(page.url()) ? new URL(page.url()).pathname : '';
  if (path !== undefined && at !== path) return `the page is at “${truncateName(at, MAX_TITLE_LENGTH)}”, not at “${path}”`;
  return null;
}

async function originOf(page: Page): Promise<number | null> {
  const origin: unknown = await page.evaluate('performance.timeOrigin').catch(() => null);
  return z.number().safeParse(origin).data ?? null;
}

/** Returns the journey as one visit. Its time is the total waiting time of the steps, if all of them succeeded. */
function journeyVisit(seenVisits: readonly SeenVisit[], lastName: string): SeenVisit {
  const [first] = seenVisits;
  const last = seenVisits.at(-1);
  const sum = (of: (visit: VisitFindings) => number | null): number | null =>
    seenVisits.reduce<number | null>((total, { seen: visit }) => {
      const value = of(visit);
      return total === null || value === null ? null : total + value;
    }, 0);
  const problem = last?.seen.problem ?? null;
  const steals = seenVisits.flatMap(({ seen: { steal } }) => steal ?? []);
  const beganMs = first?.beganMs ?? nowMs();
  return {
    beganMs,
    seen: {
      ...loadingTimesOf(null),
      tookMs: last === undefined ? 0 : last.beganMs + last.seen.tookMs - beganMs,
      largestPaintMs: problem === null ? sum(({ largestPaintMs }) => largestPaintMs) : null,
      clickMs: null,
      requests: sum(({ requests }) => requests) ?? 0,
      // Failures and requests are reported for the steps, not for the journey.
      missing: {},
      leftOut: {},
      problem: problem === null ? null : `“${lastName}”: ${problem}`,
      browserCpuMs: null,
      starvedMs: sum(({ starvedMs }) => starvedMs),
      steal: steals.length === 0 ? null : Math.max(...steals),
    },
    frames: [],
  };
}

/** Minimum length of secrets that are searched for, because shorter texts occur in pages by chance. */
const MIN_SECRET_LENGTH = 4;

/** Runs in the page: searches for a filled password field, and for a secret in any field or text. Leaves nothing in the page. */
const SEARCH_SCRIPT = `(secrets) => {
  const holds = (text) => secrets.some((secret) => text.includes(secret));
  const inside = (root) => [...root.querySelectorAll('*')].some((element) => {
    if (element.shadowRoot && inside(element.shadowRoot)) return true;
    if (!('value' in element) || typeof element.value !== 'string') return false;
    return (element.type === 'password' && element.value !== '') || holds(element.value);
  });
  return inside(document) || holds(document.body?.innerText ?? '');
}`;

/**
 * Returns whether a page shows what no picture may show: a filled password field or an entered secret. Returns true if the page does not
 * respond.
 */
async function showsSecret(page: Page, secrets: readonly string[]): Promise<boolean> {
  const sought = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
  try {
    const found: unknown = await page.evaluate(`(${SEARCH_SCRIPT})(${JSON.stringify(sought)})`);
    return found !== false;
  } catch {
    return true;
  }
}
