import { setTimeout as after } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { HoldfastError } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { type WatchedItem, listWatched, watchPageAddress, findBrowserHost } from '#core/plan/watchPages.ts';
import type { Visit } from '#core/result/visits.ts';
import { nowMs } from '#backend/monitors/source.ts';
import { allowedHosts, type PlacedBrowser, openOwnBrowser } from './browser.ts';
import { FilmChoice, type Frame } from './film.ts';
import { nextVisitSecond, visitIntervalSeconds, StepBack } from './pace.ts';
import { ProcessorWatch } from './processorWatch.ts';
import { type TextSource, visitorStepsOf } from './enteredTexts.ts';
import { freshContext, type Visitor } from './tab.ts';
import { visitJourney } from './visitJourney.ts';
import { MAX_VISIT_MS, type SeenVisit, visitPage } from './visitPage.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { openHostBrowser } from './hostBrowser.ts';

/** Number of visits to each page before the load, and again after it, for a median. */
const VISITS_WITHOUT_LOAD = 4;
/** Maximum time that the end of a run waits for the visits after the load. */
const MAX_AFTER_MS = 20_000;
/** Minimum pause between two visits, which leaves this computer to the load alone for a while. */
const MIN_PAUSE_MS = 250;
/** Maximum number of visits of a run. */
const MAX_VISITS = 2_000;

export interface VisitSink {
  onVisit(visit: Visit): void;
  /** Receives the filmstrip of the median visit of each part of the run, and of the first visit of each opening. */
  onFilm(visit: Pick<Visit, 'number' | 'page'>, frames: readonly Frame[]): void;
  /** Called when fewer visits are made. `pauseSeconds` is null if visits have ended. */
  onStepBack(second: number, pauseSeconds: number | null): void;
  /** Called when the browser has ended unexpectedly. The visits end then, too. */
  onBrowserGone(second: number): void;
}

export interface VisitsOptions {
  /** The plan with resolved secrets, which must not be stored. */
  readonly plan: Plan;
  /** The browser, which ends with the visits. */
  readonly placed: PlacedBrowser;
  /** Whether the browser's computer also generates load, so that browser and load take processor time from each other. */
  readonly isBesideLoad: boolean;
  /** Text that is appended to the browser's own User-Agent. */
  readonly identity: string;
  /** Whether every page must load before the load test starts. Otherwise a failed visit is reported like any other. */
  readonly mustWork: boolean;
  /** The source of texts that visitors of journeys enter. */
  readonly entered: TextSource;
  /** Number of visits to each page before the load, and again after it. */
  readonly withoutLoad?: number | undefined;
}

/** A visit to one page or journey. `page` is its index in `listWatched`. */
interface PageVisit {
  readonly seen: SeenVisit;
  readonly page: number;
}

/** One real browser during a run, from before the load until after it. It makes one visit at a time, page after page. */
export class RunVisits {
  /** The browser's name, and the name of its host; null for this computer. */
  readonly seenWith: Pick<PlacedBrowser, 'name' | 'from'>;
  private readonly options: VisitsOptions;
  private readonly visitors: readonly Visitor[];
  private readonly watched: readonly WatchedItem[];
  /** Number of the next journey. It selects the values that the visitor enters. */
  private journeys = 0;
  /** Browser contexts that keep the cache of earlier visits. */
  private readonly filled = new Map<number, BrowserContext>();
  /** Visits from before the clock of the run started. */
  private readonly early: PageVisit[] = [];
  private readonly stepBack = new StepBack();
  private readonly spans: { from: number; to: number | null }[] = [];
  private readonly processors: ProcessorWatch | null;
  private readonly films: FilmChoice;
  private sink: VisitSink | null = null;
  private originMs: number | null = null;
  private stage: number | null = null;
  private count = 0;
  private stopLoad = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private ended = false;

  private constructor(options: VisitsOptions) {
    const { plan, placed, isBesideLoad, identity } = options;
    this.options = options;
    this.processors = isBesideLoad && placed.from === null ? new ProcessorWatch(placed.browser) : null;
    this.seenWith = { name: placed.name, from: placed.from };
    this.watched = listWatched(plan);
    const bells = Object.values(plan.bells ?? {}).map(({ atSeconds }) => atSeconds);
    this.films = new FilmChoice((visit, frames) => this.sink?.onFilm(visit, frames), bells);
    const allowed = new Set(allowedHosts(plan));
    this.visitors = (plan.watchPages ?? []).map((page) => ({
      browser: placed.browser,
      readProcessors: () => placed.readProcessors(),
      page,
      address: watchPageAddress(plan, page),
      allowed,
      identity,
      ignoresCertificates: !plan.tls.verify,
    }));
  }

  /** Visits each page without load. If `mustWork` is set and a page cannot be loaded, throws `PAGE_NOT_SEEN` and leaves nothing running. */
  static async open(options: VisitsOptions): Promise<RunVisits> {
    const visits = new RunVisits(options);
    try {
      await visits.warmUp();
      return visits;
    } catch (thrown) {
      await visits.end();
      throw thrown;
    }
  }

  attach(sink: VisitSink): void {
    this.sink = sink;
  }

  /** Sets when the load began, on the clock of `nowMs`. Only the first call counts. */
  loadBegan(originMs: number): void {
    if (this.originMs !== null || this.ended) return;
    this.originMs = originMs;
    this.report(this.early.splice(0), 'before');
    this.films.endPart();
    void this.processors?.watch((atMs) => this.secondOf(atMs));
    this.loop = this.visitDuringLoad();
  }

  stageBegan(stage: number): void {
    if (this.stage === stage) return;
    this.stage = stage;
    this.films.endPart();
  }

  /** Counts a second of the load. If visits overload the load generator, fewer visits are made. */
  secondPassed(second: number, width: number, isOverloaded: boolean): void {
    if (!this.options.isBesideLoad || !this.stepBack.add({ second, width, isOverloaded }, this.spans)) return;
    this.sink?.onStepBack(second + width, this.stepBack.pauseSeconds);
  }

  /** Returns whether the browser took processor time that the load needed in these seconds. Must be called in the order of the seconds. */
  isTaken(second: number, width: number): boolean {
    return this.processors?.isTaken(second, width) ?? false;
  }

  /** Ends the visits during the load. */
  loadEnded(): void {
    this.stopLoad.abort();
    // Visits after the load cannot disturb the load.
    this.processors?.end();
  }

  /** Visits each page again without load. Never rejects. */
  async visitAfterLoad(): Promise<void> {
    this.loadEnded();
    const limit = AbortSignal.timeout(MAX_AFTER_MS);
    await Promise.race([this.loop, waitForAbort(limit)]);
    this.films.endPart();
    if (this.originMs === null) return;
    for (const page of this.visitsWithoutLoad()) {
      if (limit.aborted || this.ended) return;
      await Promise.race([this.visit(page).then((seenVisits) => this.report(seenVisits ?? [], 'after')), waitForAbort(limit)]);
    }
  }

  /** Ends the browser. Never rejects. */
  async end(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    this.loadEnded();
    await this.options.placed.end();
  }

  /** Visits each page once without counting the visit, which warms up the browser, and the cache for returning visitors. */
  private async warmUp(): Promise<void> {
    for (const page of this.visitors.keys()) {
      const first = await this.visit(page);
      const problem = first === null ? 'the browser ended' : (first[0]?.seen.seen.problem ?? null);
      if (this.options.mustWork && problem !== null) throw pageNotSeen(this.pageNameAt(page), this.options.placed.from, problem);
    }
    for (const page of this.visitsWithoutLoad()) this.early.push(...((await this.visit(page)) ?? []));
  }

  /** Yields the pages to visit before the load, and again after the load, page after page. */
  private *visitsWithoutLoad(): Generator<number> {
    const { withoutLoad = VISITS_WITHOUT_LOAD } = this.options;
    for (let round = 0; round < withoutLoad; round += 1) yield* this.visitors.keys();
  }

  private async visitDuringLoad(): Promise<void> {
    const { signal } = this.stopLoad;
    // The load runs alone at first.
    await after(MIN_PAUSE_MS, undefined, { signal }).catch(() => {});
    for (let turn = 0; !signal.aborted && this.count < MAX_VISITS; turn += 1) {
      const { pauseSeconds } = this.stepBack;
      if (pauseSeconds === null) return;
      const page = turn % this.visitors.length;
      const beganMs = nowMs();
      const span: { from: number; to: number | null } = { from: this.secondOf(beganMs), to: null };
      this.spans.push(span);
      const seenVisits = await (this.processors?.whileOpen(() => this.visit(page)) ?? this.visit(page));
      span.to = this.secondOf(nowMs());
      // Seconds arrive in order, so early spans no longer matter.
      if (this.spans.length > 20) this.spans.shift();
      if (seenVisits === null) return this.reportGone();
      // A visit belongs to the stage in which the visit began, even if that stage has ended. Otherwise the slowest visits would be missing.
      this.report(seenVisits, 'during');
      await after(this.pauseMs(beganMs, pauseSeconds), undefined, { signal }).catch(() => {});
    }
  }

  /** Returns how long to wait for the next visit, after a visit that began at `beganMs`. */
  private pauseMs(beganMs: number, pauseSeconds: number): number {
    const { plan } = this.options;
    const nowAtMs = nowMs();
    const earliestMs = nowAtMs + Math.max(MIN_PAUSE_MS, 1_000 * pauseSeconds);
    const dueMs = Math.max(earliestMs, beganMs + 1_000 * visitIntervalSeconds(plan, this.stage));
    const next = nextVisitSecond(plan, { earliest: this.secondOf(earliestMs), due: this.secondOf(dueMs) });
    return 1_000 * (next - this.secondOf(nowAtMs));
  }

  /** Makes a visit. Returns null if the browser has ended. For a journey, returns the whole journey first, then its steps. */
  private async visit(place: number): Promise<PageVisit[] | null> {
    const visitor = this.visitors[place];
    if (visitor === undefined || this.ended) return null;
    try {
      const isFilled = visitor.page.cache === 'filled';
      const context = (isFilled ? this.filled.get(place) : undefined) ?? (await freshContext(visitor));
      if (isFilled) this.filled.set(place, context);
      const seenVisits = await this.visitInContext(context, visitor, place);
      if (!isFilled) await context.close();
      // If the browser ended during the visit, its result does not describe the page.
      return visitor.browser.isConnected() ? seenVisits : null;
    } catch {
      return null;
    }
  }

  private async visitInContext(context: BrowserContext, visitor: Visitor, place: number): Promise<PageVisit[]> {
    const first = this.watched.findIndex((one) => one.place === place);
    if (visitor.page.steps === undefined) return [{ seen: await visitPage(visitor, context), page: first }];
    // A returning visitor logs in again, so that the journey is the same each time.
    await context.clearCookies();
    const steps = visitorStepsOf(this.options.plan, visitor.page, this.options.entered, this.journeys);
    this.journeys += 1;
    const seenVisits = await visitJourney(visitor, this.watched[first + 1]?.name ?? '', steps, context);
    return seenVisits.map((one, index) => ({ seen: one, page: first + index }));
  }

  private pageNameAt(place: number): string {
    return this.watched.find((one) => one.place === place)?.name ?? '';
  }

  private reportGone(): void {
    if (!this.ended) this.sink?.onBrowserGone(this.secondOf(nowMs()));
  }

  private report(all: readonly PageVisit[], when: Visit['when']): void {
    for (const {
      seen: { beganMs, seen, frames },
      page,
    } of all) {
      if (this.ended || this.count >= MAX_VISITS) return;
      const visit: Visit = { number: this.count, page, when, second: this.secondOf(beganMs), ...seen };
      this.count += 1;
      this.sink?.onVisit(visit);
      this.films.add(visit, frames);
    }
  }

  private secondOf(atMs: number): number {
    return (atMs - (this.originMs ?? atMs)) / 1_000;
  }
}

/** Resolves when the signal aborts. */
function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function pageNotSeen(name: string, from: string | null, problem: string): HoldfastError {
  return new HoldfastError({
    code: 'PAGE_NOT_SEEN',
    message: `The browser${from === null ? '' : ` on ${from}`} could not see “${name}” before the load: ${problem}.`,
    hint: `Probably its address or its click is wrong${from === null ? '' : ` as seen from ${from}`}, or it needs a login. A visit may take ${MAX_VISIT_MS / 1_000} s. Correct watchPages in the plan, or --watch-page.`,
  });
}

interface VisitsParts {
  /** Names of the computers that generate the load. */
  readonly generators: readonly string[];
  /** Connects to a host. Throws the errors from connecting. */
  readonly enterHost: (name: string) => Promise<SshConnection>;
  readonly version: string;
  /** Number of visits to each page before the load, and again after it. Default: enough for a median. */
  readonly withoutLoad?: number | undefined;
  /** Whether every page must load before the load test starts. */
  readonly mustWork: boolean;
  /** The source of texts that visitors of journeys enter. */
  readonly entered: TextSource;
}

/**
 * Starts the browser of a plan, on this computer or on its host, and visits each page without load. Returns null if the plan watches no
 * page. If it throws, nothing is left running.
 */
export async function openRunVisits(
  plan: Plan,
  { generators, enterHost, version, withoutLoad, mustWork, entered }: VisitsParts,
): Promise<RunVisits | null> {
  if ((plan.watchPages ?? []).length === 0) return null;
  const host = findBrowserHost(plan);
  const placedBrowser = host === null ? await openOwnBrowser(plan) : await openHostBrowser(await enterHost(host), plan);
  return RunVisits.open({
    plan,
    placed: placedBrowser,
    isBesideLoad: generators.includes(placedBrowser.from ?? THIS_COMPUTER),
    identity: plan.identify ? `Holdfast/${version}` : '',
    withoutLoad,
    mustWork,
    entered,
  });
}
