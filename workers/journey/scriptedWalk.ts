import { checkError } from '#core/work/bodyCheck/errorTexts.ts';
import { drawFor } from '#core/work/journey/generate.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { ResponseReader, SeenResponse } from '../bodyCheck/keptResponse.ts';
import { UnreadableBody } from '../bodyCheck/decodeBody.ts';
import type { Response } from '../sideRecorder.ts';
import type { BuiltRequest } from '../requestBytes.ts';
import { missingPartError } from '../noSuch.ts';
import type { DrivenStep } from './drivenSteps.ts';
import type { PageHost } from './pageHost.ts';
import type { FormSupply } from './multipart.ts';
import { explainUnsendable, MissingValueError, UserMemory } from './userMemory.ts';
import { type PersonReports, PersonTracker } from './person.ts';
import { type Hop, Redirects } from './redirects.ts';
import { LoginRenewal } from './loginRenewal.ts';
import { NO_PAUSE, StepRepeats } from './stepRepeats.ts';
import { fillStreamRules } from './streamRules.ts';
import { type ItemReports, SentItems } from './sentItems.ts';
import { Route } from './route.ts';
import type { Script, ScriptStep } from './script.ts';
import type { Gate, UnsendableRequest, Visit, Walk } from './plainWalk.ts';

/** Number of the first background request, so that its random draws are different from those of the journey. */
const FIRST_BACKGROUND_REQUEST = 1_000_000;

/** Reports of walks in addition to the measurements. */
export interface WalkReports extends PersonReports, ItemReports {
  /** Called when a journey took this row of the feeds with `order: once`. */
  rowTaken(row: number): void;
  /** Called when the server refused a request of this row's journey at this step, by a status below 500 or by its content. */
  rowRefused(row: number, step: number): void;
}

/**
 * Runs journeys with a memory of cookies, captured values and redirects, and reads the responses to their requests. A journey ends early if
 * a value that later steps need is missing.
 */
export class ScriptedWalk implements Walk, ResponseReader, PageHost {
  readonly readsAll = true;
  needsBody = false;
  captured: (readonly [string, string])[] = [];
  users = 0;
  private readonly script: Script;
  private readonly memory: UserMemory;
  private readonly redirects: Redirects;
  private readonly isBeside: boolean;
  private readonly route: Route;
  private readonly now: () => number;
  private readonly reports: WalkReports | null;
  private readonly valueOf = (name: string): string => this.memory.value(name, this.requests, this.url);
  private readonly supply: FormSupply = {
    draw: () => drawFor('file', { ...this.memory.draw, request: this.requests }, 0),
    toList: (name) => [this.memory.knownValue(name) ?? []].flat(),
  };
  private requests = 0;
  failedSlot: number | null = null;
  private isRefused = false;
  private isBroken = false;
  private isGood = false;
  /** Whether the response states that no place is left. */
  private isTurnedAway = false;
  wasStepOk = false;
  /** Status of the response to the last request; 0 if there was none. */
  private status = 0;
  /** Name of the failed check of the last request, or the reason why the request could not be sent; otherwise null. */
  private failure: string | null = null;
  private readonly tracker: PersonTracker;
  private nextPause: ThinkTime | null = null;
  private readonly repeats: StepRepeats;
  /** Index of the step that asks why the current step failed, while it runs; otherwise null. */
  private explaining: number | null = null;
  private mayAskWhy = false;
  private readonly logins: LoginRenewal;
  private readonly items: SentItems;
  private url: URL | null = null;

  /** `now` returns the milliseconds since 1970, which determine when cookies expire. */
  constructor(
    script: Script,
    now: () => number = Date.now,
    besides: { readonly memory: UserMemory; readonly step: number } | null = null,
    reports: WalkReports | null = null,
  ) {
    this.script = script;
    this.reports = reports;
    this.now = now;
    this.isBeside = besides !== null;
    this.memory = besides?.memory ?? new UserMemory(script, now);
    this.items = new SentItems(this.memory, this.valueOf, reports);
    this.redirects = new Redirects(script, this.memory, this.valueOf);
    this.repeats = new StepRepeats(this.memory, now);
    this.logins = new LoginRenewal(script, this.memory);
    this.tracker = new PersonTracker(this.memory, script.people, besides === null ? reports : null);
    this.route = new Route(besides === null ? script.flow : [{ kind: 'step', step: besides.step }], this.memory);
    if (besides !== null) this.requests = FIRST_BACKGROUND_REQUEST;
  }

  get address(): URL | null {
    return this.url;
  }

  get isRedirected(): boolean {
    return this.redirects.hop !== null && !this.isBroken;
  }

  cookiesFor(url: URL): string | null {
    return this.memory.jar?.header(url, this.now()) ?? null;
  }

  takeCookies(lines: readonly string[], url: URL): void {
    this.memory.jar?.take(lines, url, this.now());
  }

  get isOver(): boolean {
    return this.route.step < 0;
  }

  get isFinished(): boolean {
    return this.isOver && this.failedSlot === null;
  }

  get requestIndex(): number {
    return this.step().requestIndex;
  }

  get gate(): Gate | null {
    if (this.isOver || this.isBeside || this.explaining !== null || this.logins.next !== null || !this.hasEndedStep) return null;
    const { gate } = this.step();
    return gate === null || this.memory.hasPassed(gate.bell) ? null : gate;
  }

  passGate({ bell, index, endsLateJourneys }: Gate, isLate: boolean): void {
    this.memory.pass(bell);
    this.tracker.reachGate(index, isLate, endsLateJourneys);
  }

  get hasEndedStep(): boolean {
    return this.redirects.hop === null && this.repeats.pause === null && !this.logins.wasRenewed;
  }

  get reloads(): number {
    return this.repeats.reloads;
  }

  get isUnsettled(): boolean {
    return !this.isOver && (this.repeats.pause !== null || this.items.areUnconfirmed);
  }

  get pause(): ThinkTime | 'none' | null {
    if (this.redirects.hop !== null) return 'none';
    return this.repeats.pause ?? this.nextPause;
  }

  begin(visit: Visit, requests: number): boolean {
    if (!this.isBeside) {
      const before = this.memory.row;
      if (!this.memory.takeRow(visit)) return false;
      const { row } = this.memory;
      if (row !== null && row !== before) this.reports?.rowTaken(row);
      if (this.memory.begin(visit)) this.users += 1;
      this.requests = 0;
      this.tracker.beginJourney();
    }
    this.failedSlot = null;
    this.isRefused = false;
    this.items.forget();
    this.explaining = null;
    this.logins.reset();
    this.nextPause = null;
    this.leaveStep();
    this.route.begin(requests);
    this.skipTaken();
    return true;
  }

  next(): DrivenStep | UnsendableRequest {
    // Logins are not repeated within a step, because its redirects, polls and pages belong together.
    if (this.mayRenew && this.redirects.hop === null && !this.repeats.hasBegun) this.logins.scheduleByAge(this.route.step);
    const step = this.step();
    const { hop } = this.redirects;
    const requestIndex = hop === null ? step.requestIndex : step.redirectSlot;
    const page = {
      ...(step.pageRules === null ? {} : { page: { rules: step.pageRules, host: this, isFirst: hop === null } }),
      ...fillStreamRules(step, this.valueOf, (url) => this.build(step, url, { url, keepsBody: false })),
      ...this.repeats.buildWait(step.recipe.step, hop !== null),
      ...(step.sideOrigin === null ? {} : { sideOrigin: step.sideOrigin }),
    };
    if (hop === null) this.requests += 1;
    this.repeats.begin(step.recipe.step, hop !== null);
    this.isBroken = false;
    this.isGood = false;
    this.isTurnedAway = false;
    this.status = 0;
    this.failure = null;
    if (step.gate !== null) this.tracker.leaveGate();
    try {
      if (hop === null) this.items.keepValues(step);
      this.url = hop === null ? step.recipe.urlOf(this.valueOf) : hop.url;
      step.recipe.fillSocket(this.valueOf)?.messages();
      return {
        requestIndex,
        request: this.build(step, this.url, hop),
        isExpected: step.isExpected,
        reader: this.chooseReader(step),
        user: this.memory.visit.user,
        ...(step.sideOrigin === null && this.url.origin !== this.script.origin ? { origin: this.url.origin } : {}),
        ...page,
      };
    } catch (thrown) {
      const reason = explainUnsendable(thrown);
      if (reason === null) throw thrown;
      this.isBroken = true;
      this.failure = reason;
      return { requestIndex, unsendable: reason, user: this.memory.visit.user, ...page };
    }
  }

  read(response: Response, seen: SeenResponse): void {
    const { url } = this;
    if (url === null) return;
    const step = this.step();
    this.status = response.status;
    if (this.captured.length > 0) this.captured = [];
    const setCookie = seen.header('set-cookie');
    if (setCookie !== undefined && !step.isElsewhere) this.memory.jar?.take(setCookie.split('\n'), url, this.now());
    if (this.mayRenew && step.sideOrigin === null && this.logins.scheduleByStatus(this.route.step, response.status)) {
      // A response that asks for a new login counts as successful, like a redirect that is followed.
      response.expected = true;
      this.isGood = false;
      this.redirects.leave();
      return;
    }
    const failure = this.redirects.take(step, response, seen, url);
    this.recordSessionAge(response, failure);
    if (this.redirects.hop !== null && failure === null) {
      response.expected = true;
      return;
    }
    if (failure !== null) this.isBroken = true;
    else if (response.expected) response.failedCheck = this.check(step, response, seen);
    if (failure !== null && (response.expected || step.maxRedirects > 0)) {
      response.expected = true;
      response.failedCheck = failure;
    }
    this.isGood = response.expected && response.failedCheck === null;
    if (this.isGood) this.readPlace(step, response);
    this.failure = response.expected ? response.failedCheck : null;
    // A failed status needs no further explanation, and more requests would add load to a failing server.
    this.mayAskWhy = response.expected && response.failedCheck !== null && this.explaining === null;
    if (!this.isGood && step.isNeeded) this.isBroken = true;
    if (!this.isGood && response.status < 500) this.reportRefusal(step);
  }

  settle(responded: boolean): void {
    this.settleStep(responded);
    if (this.isOver) this.tracker.endJourney();
  }

  private settleStep(responded: boolean): void {
    const step = this.step();
    this.wasStepOk = responded && this.isGood;
    if (!this.wasStepOk) this.recordFailure(step);
    if (this.explaining === null && this.repeats.reload(step, this.status)) {
      this.tracker.reload();
      return this.redirects.leave();
    }
    if (this.redirects.hop !== null && responded && (!this.isBroken || this.redirects.isRefused)) return;
    if (this.repeats.pause !== null && responded && !this.isBroken) return this.redirects.leave();
    if (responded && this.logins.takeDue()) {
      this.nextPause = NO_PAUSE;
      this.leaveStep();
      return;
    }
    if (!responded || this.isBroken) this.failedSlot ??= step.requestIndex;
    if (this.explaining !== null || this.isBroken || (!responded && step.isNeeded)) {
      this.askWhyOrBreakOff(responded ? step.explainedBy : null);
      return;
    }
    const renewed = this.logins.takeSettled();
    if (renewed !== null) {
      if (this.isGood) this.memory.take(renewed);
      this.nextPause = NO_PAUSE;
      this.leaveStep();
      return;
    }
    if (this.isTurnedAway) return this.turnAway(step);
    this.items.confirm(step.confirms);
    if (this.isGood) {
      this.items.report(step, true);
      this.tracker.succeed(this.route.step, step);
      if (step.isConfirmed) this.items.awaitConfirmation(this.route.step);
      this.memory.reach(this.route.step);
      if (step.isOnce) this.memory.take(this.route.step);
    }
    this.nextPause = step.thinkTime ?? (step.sideOrigin === null ? null : NO_PAUSE);
    this.route.advance();
    this.logins.wasRenewed = false;
    this.leaveStep();
    this.skipTaken();
  }

  /** Ends the journey of a user for whom no place is left. What the user has sent counts as not acknowledged. */
  private turnAway(step: ScriptStep): void {
    this.items.report(step, false);
    this.tracker.turnAway();
    this.route.end();
    this.items.forget();
    this.nextPause = null;
    this.leaveStep();
  }

  private readPlace({ recipe }: ScriptStep, response: Response): void {
    const { places } = recipe.step;
    if (places === undefined || response.isStillWaiting) return;
    if (!this.isTurnedAway && places.count === undefined) return;
    response.place = this.isTurnedAway ? 'refused' : 'given';
    response.firstBellUs = this.script.firstBellUs;
  }

  hasReached(step: number): boolean {
    return this.memory.hasReached(step);
  }

  beside(step: number): Walk {
    return new ScriptedWalk(this.script, this.now, { memory: this.memory, step }, this.reports);
  }

  breakOff(): void {
    this.explaining = null;
    this.logins.reset();
    if (!this.isOver) this.failedSlot ??= this.step().requestIndex;
    this.route.end();
    this.items.forget();
    this.nextPause = null;
    this.leaveStep();
  }

  /** Whether this walk may repeat logins: not beside a journey, and not while it asks why a step failed. */
  private get mayRenew(): boolean {
    return !this.isBeside && this.explaining === null;
  }

  private recordSessionAge(response: Response, failure: string | null): void {
    const isRefusal = response.status === 401 || response.status === 403 || (failure ?? '').startsWith('LEADS_TO_LOGIN');
    const ageMs = isRefusal && this.explaining === null && this.logins.next === null ? this.memory.refusedAgeMs(this.route.step) : null;
    if (ageMs !== null && !this.isBeside) response.sessionAgeUs = ageMs * 1_000;
  }

  /** Called when the user leaves for good. A request in flight may still be processed. */
  leave(isInFlight: boolean): void {
    if (this.isBeside) return;
    if (isInFlight && !this.isOver) this.items.report(this.step(), false);
    this.tracker.leave();
  }

  /** Records the failure of a step. A redirect and a poll that continue are not failures. */
  private recordFailure(step: ScriptStep): void {
    const { status, failure } = this;
    if (status > 0 && failure === null && step.isExpected(status)) return;
    if (this.redirects.hop !== null && !this.isBroken && status > 0) return;
    if (status > 0 || failure === null) this.items.report(step, false);
    if (this.explaining === null && this.logins.next === null) this.tracker.fail({ step: this.route.step, status, failure }, step);
  }

  /** Reports the first refusal of a journey whose row is used once. */
  private reportRefusal({ sideOrigin }: ScriptStep): void {
    const { row } = this.memory;
    if (this.isRefused || this.isBeside || row === null || sideOrigin !== null || this.explaining !== null) return;
    this.isRefused = true;
    this.reports?.rowRefused(row, this.route.step);
  }

  private askWhyOrBreakOff(explainedBy: number | null): void {
    if (explainedBy === null || !this.mayAskWhy) {
      this.breakOff();
      return;
    }
    this.leaveStep();
    this.explaining = explainedBy;
    this.nextPause = NO_PAUSE;
  }

  private step(): ScriptStep {
    const position = this.explaining ?? this.logins.next ?? this.route.step;
    const step = this.script.steps[position];
    if (step === undefined) throw missingPartError('step', position);
    return step;
  }

  private leaveStep(): void {
    this.redirects.leave();
    this.repeats.leave();
    this.isBroken = false;
  }

  private skipTaken(): void {
    while (!this.isOver && this.memory.hasTaken(this.route.step)) this.route.advance();
  }

  private chooseReader({ recipe }: ScriptStep): ResponseReader {
    this.needsBody = recipe.needsBody || this.redirects.needsBody;
    return this;
  }

  private build({ recipe, isElsewhere }: ScriptStep, url: URL, hop: Hop | null): BuiltRequest {
    const cookies = isElsewhere ? null : (this.memory.jar?.header(url, this.now()) ?? null);
    return hop === null
      ? recipe.build(url, this.valueOf, cookies, this.supply)
      : recipe.buildRedirect(url, hop.keepsBody, this.valueOf, cookies, this.supply);
  }

  /** Returns the failed check of the final response of a step; null if there is none. */
  private check({ recipe, confirms }: ScriptStep, response: Response, seen: SeenResponse): string | null {
    const read = (): string => seen.text();
    // A response that confirms the items of other steps must be checked.
    const onUnchecked = confirms.length > 0 ? undefined : () => (response.isUnchecked = true);
    try {
      this.isTurnedAway = recipe.full?.findFirstFailure(seen, read) === null;
      if (this.isTurnedAway) {
        this.repeats.endWait(recipe.step.poll, response);
        return null;
      }
      const failure = recipe.checks?.findFirstFailure(seen, read, onUnchecked) ?? null;
      if (failure !== null) return failure;
      const waiting = this.repeats.poll(recipe.step, recipe.fillUntil(this.valueOf), response, seen);
      if (waiting !== null) this.isBroken = true;
      if (waiting !== null || this.repeats.pause !== null) return waiting;
      const before = this.memory.knownValue(recipe.step.again?.while ?? '');
      const missing = this.memory.capture(
        recipe.captures,
        seen,
        { request: this.requests, url: this.url, filled: this.valueOf },
        this.captured,
      );
      if (missing !== null) return checkError('NOTHING_CAPTURED', `“${missing}”`);
      const reason = recipe.reasonIn?.(seen.text()) ?? null;
      if (reason !== null) return checkError('SAYS_WHY', reason);
      const failed = recipe.fillChecks(this.valueOf)?.findFirstFailure(seen, read, onUnchecked) ?? null;
      const endless = failed === null ? this.repeats.readNextPage(recipe.step.again, before) : null;
      if (endless !== null) this.isBroken = true;
      return failed ?? endless;
    } catch (thrown) {
      if (thrown instanceof UnreadableBody) return checkError(thrown.code, thrown.label);
      if (thrown instanceof MissingValueError) return checkError('NOTHING_CAPTURED', `“${thrown.message}”`);
      throw thrown;
    }
  }
}
