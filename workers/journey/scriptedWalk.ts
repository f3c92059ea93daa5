import { checkError, type CheckCode } from '#core/bodyCheck/words.ts';
import { HoldfastError } from '#core/errors.ts';
import { drawFor } from '#core/journey/generate.ts';
import { isRedirect, leadsToLogin } from '#core/journey/loginRedirect.ts';
import { formatSeconds } from '#core/units.ts';
import type { ThinkTime } from '#core/plan/loadSchema.ts';
import type { AnswerReader, SeenAnswer } from '../bodyCheck/answerReader.ts';
import { UnreadableBody } from '../bodyCheck/unreadable.ts';
import type { DrivenStep } from '../drivers/stageLoad.ts';
import type { Answer } from '../recorder.ts';
import type { BuiltRequest } from '../requestBytes.ts';
import type { KnownValue } from './captures.ts';
import { CookieJar } from './cookieJar.ts';
import type { Script, ScriptStep } from './script.ts';
import type { Unsendable, Visit, Walk } from './walk.ts';

/** Where a redirect leads. */
interface Hop {
  readonly url: URL;
  readonly keepsBody: boolean;
}

/** Nothing gave a name its value. */
class NoValue extends Error {}

const NOBODY: Visit = { user: -1, journey: -1 };

/**
 * Walks through journeys with a memory: cookies, captured values, redirects. It reads the answers to its own requests. A journey is broken off when
 * something that its later steps need did not come.
 */
export class ScriptedWalk implements Walk, AnswerReader {
  readonly readsAll = true;
  needsBody = false;
  captured: (readonly [string, string])[] = [];
  private readonly script: Script;
  private readonly jar: CookieJar | null;
  private readonly memory = new Map<string, KnownValue>();
  private readonly onceTaken = new Set<number>();
  private readonly now: () => number;
  private readonly valueOf = (name: string): string => this.value(name);
  private visit = NOBODY;
  private at = 0;
  private end = 0;
  private requests = 0;
  private hasFailed = false;
  private isBroken = false;
  private isGood = false;
  private wasPausing: ThinkTime | null = null;
  private hop: Hop | null = null;
  private hops = 0;
  /** How long until the same request is sent again; null when it is not. */
  private again: ThinkTime | null = null;
  private polls = 0;
  private pollingSinceMs = 0;
  private url: URL | null = null;
  /** Requests of the redirects so far, with the state of the jar in which each was sent. */
  private readonly trail = new Set<string>();

  /** `now` in milliseconds since 1970: cookies end by it. */
  constructor(script: Script, now: () => number = Date.now) {
    this.script = script;
    this.now = now;
    this.jar = script.keeps === 'ignore' ? null : new CookieJar();
  }

  get isOver(): boolean {
    return this.at >= this.end;
  }

  get isFinished(): boolean {
    return this.isOver && !this.hasFailed;
  }

  get pause(): ThinkTime | 'none' | null {
    if (this.hop !== null) return 'none';
    return this.again ?? this.wasPausing;
  }

  begin(visit: Visit, requests: number): void {
    if (visit.user !== this.visit.user || visit.journey === 0 || this.script.keeps !== 'user') this.forget();
    this.visit = visit;
    this.at = 0;
    this.end = requests;
    this.requests = 0;
    this.hasFailed = false;
    this.wasPausing = null;
    this.leaveStep();
    this.skipTaken();
  }

  next(): DrivenStep | Unsendable {
    const step = this.step();
    const { hop } = this;
    const slot = hop === null ? step.slot : step.redirectSlot;
    if (hop === null) this.requests += 1;
    if (hop === null && this.polls === 0) this.pollingSinceMs = this.now();
    this.again = null;
    this.isBroken = false;
    this.isGood = false;
    try {
      this.url = hop === null ? step.recipe.urlOf(this.valueOf) : hop.url;
      return { slot, request: this.build(step, this.url, hop), isExpected: step.isExpected, reader: this.readerFor(step) };
    } catch (thrown) {
      const reason = whyUnsendable(thrown);
      if (reason === null) throw thrown;
      this.isBroken = true;
      return { slot, unsendable: reason };
    }
  }

  read(answer: Answer, seen: SeenAnswer): void {
    const { url } = this;
    if (url === null) return;
    const step = this.step();
    const previous = this.hop;
    this.hop = null;
    if (this.captured.length > 0) this.captured = [];
    const setCookie = seen.header('set-cookie');
    if (setCookie !== undefined) this.jar?.take(setCookie.split('\n'), url, this.now());
    const location = isRedirect(answer.status) ? seen.header('location')?.split('\n')[0] : undefined;
    const failure = location === undefined ? null : this.redirect(step, answer, previous, location);
    if (this.hop !== null && failure === null) {
      answer.expected = true;
      return;
    }
    if (failure !== null) this.isBroken = true;
    else if (answer.expected) answer.failedCheck = this.look(step, seen);
    if (failure !== null && (answer.expected || step.mostRedirects > 0)) {
      answer.expected = true;
      answer.failedCheck = failure;
    }
    this.isGood = answer.expected && answer.failedCheck === null;
    if (!this.isGood && step.recipe.captures.length > 0) this.isBroken = true;
  }

  settle(answered: boolean): void {
    const step = this.step();
    if (this.hop !== null && answered && !this.isBroken) return;
    if (this.again !== null && answered && !this.isBroken) {
      this.leaveRedirects();
      return;
    }
    if (!answered || this.isBroken) this.hasFailed = true;
    if (this.isBroken || (!answered && step.recipe.captures.length > 0)) {
      this.breakOff();
      return;
    }
    if (step.isOnce && this.isGood) this.onceTaken.add(this.at);
    this.wasPausing = step.thinkTime;
    this.at += 1;
    this.leaveStep();
    this.skipTaken();
  }

  breakOff(): void {
    this.hasFailed = true;
    this.at = this.end;
    this.wasPausing = null;
    this.leaveStep();
  }

  private step(): ScriptStep {
    const step = this.script.steps[this.at];
    if (step === undefined) throw new RangeError(`The plan has no step ${this.at}.`);
    return step;
  }

  private leaveStep(): void {
    this.leaveRedirects();
    this.again = null;
    this.polls = 0;
    this.isBroken = false;
  }

  private leaveRedirects(): void {
    this.hop = null;
    this.hops = 0;
    this.trail.clear();
  }

  private skipTaken(): void {
    while (this.at < this.end && this.onceTaken.has(this.at)) this.at += 1;
  }

  private forget(): void {
    this.jar?.clear();
    this.memory.clear();
    this.onceTaken.clear();
  }

  private readerFor({ recipe }: ScriptStep): AnswerReader {
    this.needsBody = recipe.needsBody;
    return this;
  }

  private build({ recipe }: ScriptStep, url: URL, hop: Hop | null): BuiltRequest {
    const cookies = this.jar?.header(url, this.now()) ?? null;
    return hop === null ? recipe.build(url, this.valueOf, cookies) : recipe.buildRedirect(url, hop.keepsBody, this.valueOf, cookies);
  }

  /** Goes where an answer sends it, where the step says so. Returns what is wrong with the way, as it is counted. */
  private redirect(step: ScriptStep, { status }: Answer, previous: Hop | null, location: string): string | null {
    const from = this.url;
    if (from === null) return null;
    const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
    if (to === null || to.origin !== from.origin) return step.mostRedirects === 0 ? null : failed('LEAVES_TARGET', to?.host ?? location);
    if (!step.mayEndAtLogin && leadsToLogin(from, to)) return failed('LEADS_TO_LOGIN', to.pathname + to.search);
    if (step.mostRedirects === 0) return null;
    const keepsBody = (previous?.keepsBody ?? true) && (status === 307 || status === 308);
    const state = `${String(keepsBody)} ${to.href} ${this.jar?.version ?? 0}`;
    if (this.trail.has(state)) return failed('REDIRECT_LOOP', to.pathname);
    this.trail.add(state);
    this.hops += 1;
    if (this.hops > step.mostRedirects) return failed('TOO_MANY_REDIRECTS', String(step.mostRedirects));
    to.hash = '';
    this.hop = { url: to, keepsBody };
    return null;
  }

  /** What is wrong with the answer that a step ends with, as it is counted. */
  private look({ recipe }: ScriptStep, seen: SeenAnswer): string | null {
    try {
      const failure = recipe.checks?.firstFailure(seen, () => seen.text()) ?? null;
      if (failure !== null) return failure;
      const waiting = this.poll(recipe, seen);
      if (waiting !== null || this.again !== null) return waiting;
      for (const { as, take } of recipe.captures) {
        const value = take(seen, {
          cookie: (name) => this.cookie(name),
          draw: () => drawFor(`capture ${as}`, { seed: this.script.seed, ...this.visit, request: this.requests }, 0),
        });
        if (value === null) return failed('NOTHING_CAPTURED', `“${as}”`);
        this.memory.set(as, value);
        this.captured.push([as, typeof value === 'string' ? value : value.join(', ')]);
      }
      return recipe.checksWith(this.valueOf)?.firstFailure(seen, () => seen.text()) ?? null;
    } catch (thrown) {
      if (thrown instanceof UnreadableBody) return checkError(thrown.code, thrown.label);
      if (thrown instanceof NoValue) return failed('NOTHING_CAPTURED', `“${thrown.message}”`);
      throw thrown;
    }
  }

  /** Decides whether the request is sent again. Returns what is wrong when it was waited for in vain. */
  private poll(recipe: ScriptStep['recipe'], seen: SeenAnswer): string | null {
    const { poll } = recipe.step;
    const until = poll === undefined ? null : recipe.untilWith(this.valueOf);
    if (poll === undefined || until === null || until.firstFailure(seen, () => seen.text()) === null) return null;
    const seconds = poll.firstSeconds * poll.factor ** this.polls;
    const waitedSeconds = (this.now() - this.pollingSinceMs) / 1_000;
    if (waitedSeconds + seconds > poll.mostSeconds) {
      this.isBroken = true;
      return failed('WAITED_IN_VAIN', formatSeconds(poll.mostSeconds));
    }
    this.polls += 1;
    this.again = { kind: 'fixed', seconds };
    return null;
  }

  private value(name: string): string {
    const { script, visit } = this;
    const known = this.memory.get(name);
    if (known !== undefined) return typeof known === 'string' ? known : known.join(',');
    const value = name.startsWith('cookie.')
      ? this.cookie(name.slice('cookie.'.length))
      : (script.generate(name, visit.user, visit.journey, this.requests) ??
        script.secrets[name] ??
        script.fed(name, visit.user, visit.journey));
    if (value === null) throw new NoValue(name);
    return value;
  }

  private cookie(name: string): string | null {
    return this.url === null || this.jar === null ? null : this.jar.valueOf(name, this.url, this.now());
  }
}

function failed(code: CheckCode, label: string): string {
  return checkError(code, label);
}

/** null for what is a fault of Holdfast. */
function whyUnsendable(thrown: unknown): string | null {
  if (thrown instanceof NoValue) return `NO_VALUE {{${thrown.message}}}`;
  return thrown instanceof HoldfastError ? thrown.code : null;
}
