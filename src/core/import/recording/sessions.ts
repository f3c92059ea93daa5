import type { Turns } from '#core/base/turns.ts';
import type { Step } from '#core/plan/schema/step.ts';
import { listTrustedSteps } from './compareWalks.ts';
import type { Needles } from './needles.ts';
import { readNeedles } from './needlesOf.ts';
import { readPasswordMark } from './passwordMark.ts';
import { type Finder, takeCapture } from './takeCapture.ts';
import { cookiesBefore, lastOf, type Walk, type WalkedStep } from './walk.ts';

/** Several walks of the same journey. */
export interface Evidence {
  /** The recorded walk of the person. */
  readonly recorded: Walk;
  /** Walks by Holdfast, each in a new session. The last one used the current plan. */
  readonly walks: readonly Walk[];
  /** Whether at least one walk used another account than the recorded one. */
  readonly hasOtherAccount: boolean;
}

/** Matches a POST call that only reads data, by the name of its operation. */
const READING_CALL_PATTERN =
  /(?:^|[?&\n])_?(?:action|cmd|command|method|op|operation|task)=(?:get|list|fetch|load|query|search|read|find|check)(?![a-z])/i;

type Journey = readonly Pick<Step, 'name' | 'background'>[];

/** Searches a recording and its walks. A value must be in the latest walk, but any walk can show that the value changes. */
export class Sessions {
  readonly evidence: Evidence;
  readonly latest: Walk;
  /** All values to search for in responses. */
  readonly needles: Needles;
  /** Position of each step in the journey. */
  private readonly order: ReadonlyMap<string, number>;
  /** Steps that are sent beside the journey. The time of their responses is unknown, so no value is captured from them. */
  private readonly backgroundSteps: ReadonlySet<string>;
  /** Position of the first step in the latest walk whose exchanges contain a value, by value. */
  private readonly firstWith = new Map<string, number>();
  private readonly walks: readonly { readonly walk: Walk; readonly trusted: ReadonlySet<string> }[];

  private constructor(evidence: Evidence, journey: Journey, needles: Needles, walks: Sessions['walks']) {
    this.evidence = evidence;
    this.order = new Map(journey.map(({ name }, index) => [name, index]));
    this.backgroundSteps = new Set(journey.flatMap(({ name, background }) => (background === undefined ? [] : [name])));
    this.needles = needles;
    this.latest = evidence.walks.at(-1) ?? [];
    this.walks = walks;
  }

  /** Reads each response once, and yields before each one. Later calls reuse what was read. */
  static *read(evidence: Evidence, journey: Journey): Turns<Sessions> {
    const needles = yield* collectNeedles(evidence.recorded);
    const walks = [];
    for (const walk of evidence.walks) {
      yield;
      walks.push({ walk, trusted: listTrustedSteps(evidence.recorded, walk) });
    }
    const sessions = new Sessions(evidence, journey, needles, walks);
    for (const walk of [evidence.recorded, sessions.latest])
      for (const { exchanges } of walk)
        for (const exchange of exchanges) {
          yield;
          needles.read(exchange);
        }
    return sessions;
  }

  /** Returns whether the latest walk matches the recording up to this step. */
  isTrusted(step: string): boolean {
    return this.walks.at(-1)?.trusted.has(step) === true;
  }

  /** Returns the steps of a walk before this step, without those beside the journey. */
  before(step: string, walk: Walk = this.evidence.recorded): WalkedStep[] {
    const end = this.positionOf(step);
    return walk.filter((one) => this.positionOf(one.step) < end && !this.backgroundSteps.has(one.step));
  }

  /** Returns the position of a step; infinite for a step outside the journey. */
  private positionOf(step: string): number {
    return this.order.get(step) ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the value that a finder captures from the last response to a step; null if there is none. */
  take(finder: Finder, walk: Walk, step: string): string | null {
    const walked = walk.find((one) => one.step === step);
    const last = walked === undefined ? null : lastOf(walked);
    return last === null ? null : takeCapture(finder, last);
  }

  findInRecording(finder: Finder, step: string): string | null {
    return this.take(finder, this.evidence.recorded, step);
  }

  /** Returns whether the captured value differs in any walk. */
  differsInWalks(finder: Finder, step: string, value: string): boolean {
    return this.walks.some(({ walk, trusted }) => {
      if (!trusted.has(step)) return false;
      const other = this.take(finder, walk, step);
      return other !== null && other !== value;
    });
  }

  /** Returns whether the cookie has another value in any walk; null if no walk has the cookie. */
  isOtherCookie(name: string, step: string): boolean | null {
    const value = cookiesBefore(this.evidence.recorded, step).get(name);
    const others = this.evidence.walks.flatMap((walk) => cookiesBefore(walk, step).get(name) ?? []);
    if (others.length === 0) return null;
    return others.some((other) => other !== value);
  }

  /** Returns whether an earlier response of the latest walk contains the same value, which may therefore be constant. */
  mayBeConstant(value: string, step: string): boolean {
    let first = this.firstWith.get(value);
    if (first === undefined) {
      const having = this.latest.filter(
        (walked) => this.isTrusted(walked.step) && walked.exchanges.some((exchange) => this.needles.isIn(exchange, value)),
      );
      first = Math.min(...having.map((walked) => this.positionOf(walked.step)));
      this.firstWith.set(value, first);
    }
    return first < this.positionOf(step);
  }

  isInRecording(value: string, step: string): boolean {
    return this.before(step).some(({ exchanges }) => exchanges.some((exchange) => this.needles.isIn(exchange, value)));
  }

  /**
   * Returns whether the pattern matches the last response to a step both in the recording and in the latest walk. `value`: a text within
   * each match, which makes the search fast.
   */
  matchesInBothWalks(pattern: RegExp, value: string, step: string): boolean {
    return [this.evidence.recorded, this.latest].every((walk) => {
      const walked = walk.find((one) => one.step === step);
      const last = walked === undefined ? null : lastOf(walked);
      return last !== null && this.needles.isIn(last, value) && pattern.test(last.text ?? '');
    });
  }

  /** Returns whether the step sends a writing request, whose response shows what the request created or who logged in. */
  writesData(step: string): boolean {
    const method = this.evidence.recorded.find((one) => one.step === step)?.exchanges[0]?.method ?? 'GET';
    return method !== 'GET' && method !== 'HEAD';
  }

  /** Returns whether the step may create something: it is neither a login nor a POST call that only reads data. */
  makesSomething(step: string): boolean {
    const [request] = this.evidence.recorded.find((one) => one.step === step)?.exchanges ?? [];
    return this.writesData(step) && !this.isLogin(step) && !READING_CALL_PATTERN.test(`${request?.url ?? ''}\n${request?.body ?? ''}`);
  }

  /** Returns whether the recorded person sent a password in this step. */
  isLogin(step: string): boolean {
    const exchanges = this.evidence.recorded.find((one) => one.step === step)?.exchanges ?? [];
    return exchanges.some(({ body, fields }) => readPasswordMark(`${body ?? ''}${JSON.stringify(fields ?? [])}`) !== null);
  }

  /**
   * Returns whether the step created an item. A number in the response then identifies the item, even if a server numbers items for each
   * account.
   */
  isCreated(owner: string): boolean {
    return this.writesData(owner) && this.evidence.recorded.find(({ step }) => step === owner)?.exchanges[0]?.status === 201;
  }
}

/** Caches the needles of a recording, which are the same for each comparison with its walks. */
const needlesByWalk = new WeakMap<Walk, Needles>();

function* collectNeedles(recorded: Walk): Turns<Needles> {
  const needles = needlesByWalk.get(recorded) ?? (yield* readNeedles(recorded.flatMap(({ exchanges }) => exchanges.slice(0, 1))));
  needlesByWalk.set(recorded, needles);
  return needles;
}
