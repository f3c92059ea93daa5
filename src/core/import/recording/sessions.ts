import type { Turns } from '#core/base/turns.ts';
import type { Step } from '#core/plan/schema/step.ts';
import { trustedSteps } from './compareWalks.ts';
import type { Needles } from './needles.ts';
import { needlesOf } from './needlesOf.ts';
import { readPasswordMark } from './passwordMark.ts';
import { type Finder, takeCapture } from './takeCapture.ts';
import { cookiesBefore, lastOf, type Walk, type WalkedStep } from './walk.ts';

/** The same journey several times. */
export interface Evidence {
  /** What the person did. */
  readonly recorded: Walk;
  /** The same journey walked by Holdfast, each time anew; the last one is the one that the plan as it is led to. */
  readonly walks: readonly Walk[];
  /** Whether one of the walks was that of another account than the recorded one. */
  readonly hasOtherAccount: boolean;
}

/** Matches a POST call that only reads data, by the name of its operation. */
const ASKS = /(?:^|[?&\n])_?(?:action|cmd|command|method|op|operation|task)=(?:get|list|fetch|load|query|search|read|find|check)(?![a-z])/i;

type Journey = readonly Pick<Step, 'name' | 'background'>[];

/** Looks into a recording and the walks beside it. What is there has to be in the latest walk; that it changes may be seen in any. */
export class Sessions {
  readonly evidence: Evidence;
  readonly latest: Walk;
  /** All that is looked for in responses. */
  readonly needles: Needles;
  /** Where each step is in the journey. */
  private readonly order: ReadonlyMap<string, number>;
  /** Steps that are sent beside the journey. It is unknown when their responses bring a value. */
  private readonly beside: ReadonlySet<string>;
  /** The first step of the latest walk that has a value. */
  private readonly firstWith = new Map<string, number>();
  private readonly walks: readonly { readonly walk: Walk; readonly trusted: ReadonlySet<string> }[];

  private constructor(evidence: Evidence, journey: Journey, needles: Needles, walks: Sessions['walks']) {
    this.evidence = evidence;
    this.order = new Map(journey.map(({ name }, index) => [name, index]));
    this.beside = new Set(journey.flatMap(({ name, background }) => (background === undefined ? [] : [name])));
    this.needles = needles;
    this.latest = evidence.walks.at(-1) ?? [];
    this.walks = walks;
  }

  /** Reads each response once, and yields before each one. Later calls use the results. */
  static *read(evidence: Evidence, journey: Journey): Turns<Sessions> {
    const needles = yield* needlesFor(evidence.recorded);
    const walks = [];
    for (const walk of evidence.walks) {
      yield;
      walks.push({ walk, trusted: trustedSteps(evidence.recorded, walk) });
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

  /** Whether the latest walk did up to this step what the person did. */
  isTrusted(step: string): boolean {
    return this.walks.at(-1)?.trusted.has(step) === true;
  }

  /** Steps before this one, as they were recorded or as they were walked. */
  before(step: string, walk: Walk = this.evidence.recorded): WalkedStep[] {
    const end = this.at(step);
    return walk.filter((one) => this.at(one.step) < end && !this.beside.has(one.step));
  }

  /** Of what is no step of the journey, behind all. */
  private at(step: string): number {
    return this.order.get(step) ?? Number.POSITIVE_INFINITY;
  }

  /** What is captured of the last response to a step; null where nothing is found. */
  take(finder: Finder, walk: Walk, step: string): string | null {
    const walked = walk.find((one) => one.step === step);
    const last = walked === undefined ? null : lastOf(walked);
    return last === null ? null : takeCapture(finder, last);
  }

  inRecording(finder: Finder, step: string): string | null {
    return this.take(finder, this.evidence.recorded, step);
  }

  /** Whether what is captured is another value in any walk. */
  differs(finder: Finder, step: string, value: string): boolean {
    return this.walks.some(({ walk, trusted }) => {
      if (!trusted.has(step)) return false;
      const other = this.take(finder, walk, step);
      return other !== null && other !== value;
    });
  }

  /** null where no walk came so far. */
  isOtherCookie(name: string, step: string): boolean | null {
    const value = cookiesBefore(this.evidence.recorded, step).get(name);
    const others = this.evidence.walks.flatMap((walk) => cookiesBefore(walk, step).get(name) ?? []);
    if (others.length === 0) return null;
    return others.some((other) => other !== value);
  }

  /** The very value came again where Holdfast walked: it need not be another. */
  mayBeConstant(value: string, step: string): boolean {
    let first = this.firstWith.get(value);
    if (first === undefined) {
      const having = this.latest.filter(
        (walked) => this.isTrusted(walked.step) && walked.exchanges.some((exchange) => this.needles.isIn(exchange, value)),
      );
      first = Math.min(...having.map((walked) => this.at(walked.step)));
      this.firstWith.set(value, first);
    }
    return first < this.at(step);
  }

  isInRecording(value: string, step: string): boolean {
    return this.before(step).some(({ exchanges }) => exchanges.some((exchange) => this.needles.isIn(exchange, value)));
  }

  /** Whether the last response to a step matches, as it was recorded and as it was walked last. `value`: what is in each text that matches. */
  bothMatch(pattern: RegExp, value: string, step: string): boolean {
    return [this.evidence.recorded, this.latest].every((walk) => {
      const walked = walk.find((one) => one.step === step);
      const last = walked === undefined ? null : lastOf(walked);
      return last !== null && this.needles.isIn(last, value) && pattern.test(last.text ?? '');
    });
  }

  /** Whether the step sends a writing request. Its response shows what the request created, or who logged in. */
  isWritten(step: string): boolean {
    const method = this.evidence.recorded.find((one) => one.step === step)?.exchanges[0]?.method ?? 'GET';
    return method !== 'GET' && method !== 'HEAD';
  }

  /** Whether the step may create something: it is neither a login nor a POST call that only reads data. */
  makesSomething(step: string): boolean {
    const [request] = this.evidence.recorded.find((one) => one.step === step)?.exchanges ?? [];
    return this.isWritten(step) && !this.isLogin(step) && !ASKS.test(`${request?.url ?? ''}\n${request?.body ?? ''}`);
  }

  /** Whether the recorded person entered a password there. */
  isLogin(step: string): boolean {
    const exchanges = this.evidence.recorded.find((one) => one.step === step)?.exchanges ?? [];
    return exchanges.some(({ body, fields }) => readPasswordMark(`${body ?? ''}${JSON.stringify(fields ?? [])}`) !== null);
  }

  /** What a request made has a number of its own, even if a server counts anew for each who asks. */
  isCreated(owner: string): boolean {
    return this.isWritten(owner) && this.evidence.recorded.find(({ step }) => step === owner)?.exchanges[0]?.status === 201;
  }
}

/** The needles of a recording, for as long as it is kept: what was found in its responses serves each walk. */
const known = new WeakMap<Walk, Needles>();

function* needlesFor(recorded: Walk): Turns<Needles> {
  const needles = known.get(recorded) ?? (yield* needlesOf(recorded.flatMap(({ exchanges }) => exchanges.slice(0, 1))));
  known.set(recorded, needles);
  return needles;
}
