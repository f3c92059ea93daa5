import { setTimeout as after } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { HoldfastError } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { type Watched, watchedOf, watchPageAddress } from '#core/plan/watchPages.ts';
import type { Visit } from '#core/result/visit.ts';
import { nowMs } from '#backend/monitors/source.ts';
import { allowedHosts, type PlacedBrowser } from './browser.ts';
import { FilmChoice, type Frame } from './film.ts';
import { paceOf, StepBack } from './pace.ts';
import { ProcessorWatch } from './processorWatch.ts';
import { type EnteredFrom, stepsOf } from './enteredTexts.ts';
import { freshContext, type Visitor } from './tab.ts';
import { visitJourney } from './visitJourney.ts';
import { LONGEST_VISIT_MS, type SeenVisit, visitPage } from './visitPage.ts';

/** Of each page, before the load and after it: a median wants as many. */
const WITHOUT_LOAD = 4;
/** The end of a run waits so long for visits without load. */
const MOST_AFTER_MS = 20_000;
/** Between two visits this computer has to itself what it needs for the load. */
const LEAST_PAUSE_MS = 250;
/** A run of days is seen often enough by then. */
const MOST_VISITS = 2_000;

export interface VisitSink {
  onVisit(visit: Visit): void;
  /** What the visit of that number looked like: of each part of the run, the one in the middle. */
  onFilm(visit: Pick<Visit, 'number' | 'page'>, frames: readonly Frame[]): void;
  /** `pauseSeconds`: null where there are no more visits. */
  onStepBack(second: number, pauseSeconds: number | null): void;
  /** The browser is gone before it was ended: there are no more visits. */
  onGone(second: number): void;
}

export interface VisitsOptions {
  /** With its secrets revealed: for memory only. */
  readonly plan: Plan;
  /** Ended with the visits. */
  readonly placed: PlacedBrowser;
  /** Whether its computer makes load too: then they may take processors from each other. */
  readonly isBesideLoad: boolean;
  /** Sent behind the browser's own words. */
  readonly identity: string;
  /** Whether every page has to be seen before the load; otherwise it is told as any other visit. */
  readonly mustWork: boolean;
  /** What the visitors of journeys enter. */
  readonly entered: EnteredFrom;
  /** How often each page is seen before the load, and again after it. */
  readonly withoutLoad?: number | undefined;
}

/** What a round of one page or journey has seen, and of what: by its place in `watchedOf`. */
interface Seeing {
  readonly seen: SeenVisit;
  readonly page: number;
}

/** One real browser beside a run, from before its load to after it: one visit at a time, page after page. */
export class RunVisits {
  /** Which browser it is, and on which host; null: on this computer. */
  readonly seenWith: Pick<PlacedBrowser, 'name' | 'from'>;
  private readonly plan: Plan;
  private readonly placed: PlacedBrowser;
  private readonly isBesideLoad: boolean;
  private readonly visitors: readonly Visitor[];
  private readonly watched: readonly Watched[];
  private readonly entered: EnteredFrom;
  private readonly withoutLoad: number;
  /** Each journey has another number, and with it the values of another visitor. */
  private journeys = 0;
  /** Contexts that keep what earlier visits have left. */
  private readonly filled = new Map<number, BrowserContext>();
  /** Visits before the run has a clock. */
  private readonly early: Seeing[] = [];
  private readonly stepBack = new StepBack();
  private readonly spans: { from: number; to: number | null }[] = [];
  private readonly processors: ProcessorWatch | null;
  private readonly films = new FilmChoice((visit, frames) => this.sink?.onFilm(visit, frames));
  private sink: VisitSink | null = null;
  private originMs: number | null = null;
  private stage: number | null = null;
  private count = 0;
  private stopLoad = new AbortController();
  private loop: Promise<void> = Promise.resolve();
  private ended = false;

  private constructor({ plan, placed, isBesideLoad, identity, entered, withoutLoad = WITHOUT_LOAD }: VisitsOptions) {
    this.plan = plan;
    this.placed = placed;
    this.isBesideLoad = isBesideLoad;
    this.processors = isBesideLoad && placed.from === null ? new ProcessorWatch(placed.browser) : null;
    this.seenWith = { name: placed.name, from: placed.from };
    this.watched = watchedOf(plan);
    this.entered = entered;
    this.withoutLoad = withoutLoad;
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

  /** Sees each page without load. Throws `PAGE_NOT_SEEN` where pages have to be seen; nothing is left running then. */
  static async open(options: VisitsOptions): Promise<RunVisits> {
    const visits = new RunVisits(options);
    try {
      await visits.before(options.mustWork);
      return visits;
    } catch (thrown) {
      await visits.end();
      throw thrown;
    }
  }

  /** From now on it is told there. */
  attach(sink: VisitSink): void {
    this.sink = sink;
  }

  /** When the load began, on the clock of `nowMs`. Only the first time counts. */
  loadBegan(originMs: number): void {
    if (this.originMs !== null || this.ended) return;
    this.originMs = originMs;
    this.tell(this.early.splice(0), 'before');
    this.films.settle();
    void this.processors?.watch((atMs) => this.secondOf(atMs));
    this.loop = this.visitDuringLoad();
  }

  /** Which stage runs from now on. */
  stageBegan(stage: number): void {
    if (this.stage === stage) return;
    this.stage = stage;
    this.films.settle();
  }

  /** A second of the load: visits that overload a computer that makes load become fewer. */
  secondPassed(second: number, width: number, isSick: boolean): void {
    if (!this.isBesideLoad || !this.stepBack.add({ second, width, isSick }, this.spans)) return;
    this.sink?.onStepBack(second + width, this.stepBack.pauseSeconds);
  }

  /** Whether the browser took processor time that the load needed in these seconds. To be asked in order. */
  isTaken(second: number, width: number): boolean {
    return this.processors?.isTaken(second, width) ?? false;
  }

  /** No visit begins any more. */
  loadEnded(): void {
    this.stopLoad.abort();
    // What is visited from now on is in nobody's way.
    this.processors?.end();
  }

  /** Sees each page once more without load. Never rejects. */
  async seeAfter(): Promise<void> {
    this.loadEnded();
    const limit = AbortSignal.timeout(MOST_AFTER_MS);
    await Promise.race([this.loop, aborted(limit)]);
    this.films.settle();
    if (this.originMs === null) return;
    for (let round = 0; round < this.withoutLoad; round += 1)
      for (const page of this.visitors.keys()) {
        if (limit.aborted || this.ended) return;
        await Promise.race([this.visit(page).then((seen) => this.tell(seen ?? [], 'after')), aborted(limit)]);
      }
  }

  /** Ends the browser. Never rejects. */
  async end(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    this.loadEnded();
    await this.placed.end();
  }

  /** The first visit of each page warms up the browser, and the cache of those who come with a filled one: it counts for nothing. */
  private async before(mustWork: boolean): Promise<void> {
    for (const page of this.visitors.keys()) {
      const first = await this.visit(page);
      const problem = first === null ? 'the browser ended' : (first[0]?.seen.seen.problem ?? null);
      if (mustWork && problem !== null) throw notSeen(this.nameOf(page), this.placed.from, problem);
    }
    for (let round = 0; round < this.withoutLoad; round += 1)
      for (const page of this.visitors.keys()) {
        this.early.push(...((await this.visit(page)) ?? []));
      }
  }

  private async visitDuringLoad(): Promise<void> {
    const { signal } = this.stopLoad;
    // The load is seen alone first.
    await after(LEAST_PAUSE_MS, undefined, { signal }).catch(() => {});
    for (let turn = 0; !signal.aborted && this.count < MOST_VISITS; turn += 1) {
      const { pauseSeconds } = this.stepBack;
      if (pauseSeconds === null) return;
      const page = turn % this.visitors.length;
      const beganMs = nowMs();
      const span: { from: number; to: number | null } = { from: this.secondOf(beganMs), to: null };
      this.spans.push(span);
      const seen = await (this.processors?.whileOpen(() => this.visit(page)) ?? this.visit(page));
      span.to = this.secondOf(nowMs());
      // Seconds come one by one: what is long over cannot touch them.
      if (this.spans.length > 20) this.spans.shift();
      if (seen === null) return this.tellGone();
      // It belongs to the stage in which it began, also where that is over by now: the slowest would be missing else.
      this.tell(seen, 'during');
      const restMs = beganMs + 1_000 * paceOf(this.plan, this.stage) - nowMs();
      await after(Math.max(LEAST_PAUSE_MS, restMs, 1_000 * pauseSeconds), undefined, { signal }).catch(() => {});
    }
  }

  /** null where the browser is gone. Of a journey, its whole comes first. */
  private async visit(place: number): Promise<Seeing[] | null> {
    const visitor = this.visitors[place];
    if (visitor === undefined || this.ended) return null;
    try {
      const isFilled = visitor.page.cache === 'filled';
      const context = (isFilled ? this.filled.get(place) : undefined) ?? (await freshContext(visitor));
      if (isFilled) this.filled.set(place, context);
      const seen = await this.seeIn(context, visitor, place);
      if (!isFilled) await context.close();
      // What a browser saw that ended over it is about the browser.
      return visitor.browser.isConnected() ? seen : null;
    } catch {
      return null;
    }
  }

  private async seeIn(context: BrowserContext, visitor: Visitor, place: number): Promise<Seeing[]> {
    const first = this.watched.findIndex((one) => one.place === place);
    if (visitor.page.steps === undefined) return [{ seen: await visitPage(visitor, context), page: first }];
    // Whoever comes back logs in anew: the journey is the same each time.
    await context.clearCookies();
    const steps = stepsOf(this.plan, visitor.page, this.entered, this.journeys);
    this.journeys += 1;
    const seen = await visitJourney(visitor, this.watched[first + 1]?.name ?? '', steps, context);
    return seen.map((one, index) => ({ seen: one, page: first + index }));
  }

  private nameOf(place: number): string {
    return this.watched.find((one) => one.place === place)?.name ?? '';
  }

  private tellGone(): void {
    if (!this.ended) this.sink?.onGone(this.secondOf(nowMs()));
  }

  private tell(all: readonly Seeing[], when: Visit['when']): void {
    for (const {
      seen: { beganMs, seen, frames },
      page,
    } of all) {
      if (this.ended || this.count >= MOST_VISITS) return;
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

/** Resolves when it happens. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function notSeen(name: string, from: string | null, problem: string): HoldfastError {
  return new HoldfastError({
    code: 'PAGE_NOT_SEEN',
    message: `The browser${from === null ? '' : ` on ${from}`} could not see “${name}” before the load: ${problem}.`,
    hint: `Probably its address or its click is wrong${from === null ? '' : ` as seen from ${from}`}, or it needs a login. A visit may take ${LONGEST_VISIT_MS / 1_000} s. Correct watchPages in the plan, or --watch-page.`,
  });
}
