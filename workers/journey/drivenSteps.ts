import type { Step } from '#core/plan/schema/plan.ts';
import type { AnswerReader } from '../bodyCheck/keptAnswer.ts';
import { StepChecks } from '../bodyCheck/stepChecks.ts';
import type { WorkerData } from '../messages.ts';
import { noSuch } from '../noSuch.ts';
import type { BuiltRequest } from '../requestBytes.ts';
import type { RequestRecorder } from '../sideRecorder.ts';
import type { StreamRules } from '../streams/streamReading.ts';
import type { PageRequest } from './pageHost.ts';
import { closingHeaders, Recipe, runHeaders } from './recipe.ts';

/** A request of a journey as it is sent, and what is looked for in its answer. */
export interface DrivenStep {
  /** Where its figures belong: position among `recordedRequests` of the plan. */
  readonly slot: number;
  readonly request: BuiltRequest;
  /** Status codes that count as `ok`. */
  isExpected(status: number): boolean;
  /** Looks into its answers; null when their status says everything. */
  readonly reader: AnswerReader | null;
  /** Its answer belongs to a page that is fetched as a whole; left out when it is fetched by itself. */
  readonly page?: PageRequest;
  /** Origin of its target; left out where that is the target of the load. */
  readonly origin?: string;
  /** A side call: the origin that it goes to. */
  readonly sideOrigin?: string;
  /** Its answer is a stream, which is held; left out where it is not. */
  readonly stream?: StreamRules;
  /** Whose journey it belongs to, where somebody walks. */
  readonly user?: number;
  /** The poll to which the request belongs. */
  readonly wait?: Wait;
}

/** A poll: all its requests count in the stage in which its first request was due. */
export interface Wait {
  /** Recorder of that stage; null before the first request. */
  recorder: RequestRecorder | null;
}

/** Whether a status counts as good for a step: one of those it names, else any 2xx. */
export function expectationOf({ expectStatus, stream }: Step): (status: number) => boolean {
  if (stream?.kind === 'websocket') return (status) => status === 101;
  if (expectStatus === undefined) return (status) => status >= 200 && status < 300;
  const expected = new Set(expectStatus);
  return (status) => expected.has(status);
}

/**
 * The steps of the plan's journey as they are sent to one target, where they are the same in every journey: made once.
 * @throws {HoldfastError} for a request that cannot be built.
 */
export function drivenSteps(data: WorkerData, targetIndex: number): DrivenStep[] {
  const target = data.targets[targetIndex];
  if (target === undefined) throw noSuch('target', targetIndex);
  return data.plan.journey.map((step, slot) => {
    const recipe = new Recipe({
      step,
      targetUrl: target.url,
      headers: runHeaders(data.userAgent, target.headers),
      resolved: data.steps[slot] ?? { headers: {}, body: null },
      files: data.files,
      lastHeaders: closingHeaders(data.plan),
    });
    return {
      slot,
      request: recipe.build(recipe.urlOf(nothing), nothing, null),
      reader: step.checks.length === 0 ? null : new StepChecks(step.checks),
      isExpected: expectationOf(step),
    };
  });
}

function nothing(name: string): string {
  throw new RangeError(`Nothing gives “${name}” a value in a journey that is always the same.`);
}
