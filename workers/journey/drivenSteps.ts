import type { Step } from '#core/plan/schema/plan.ts';
import type { ResponseReader } from '../bodyCheck/keptResponse.ts';
import { StepChecks } from '../bodyCheck/stepChecks.ts';
import type { WorkerData } from '../messages.ts';
import { missingPartError } from '../noSuch.ts';
import type { BuiltRequest } from '../requestBytes.ts';
import type { RequestRecorder } from '../sideRecorder.ts';
import type { StreamRules } from '../streams/eventReader.ts';
import type { PageRequest } from './pageHost.ts';
import { closingHeaders, Recipe, runHeaders } from './recipe.ts';

/** A request of a journey with its response checks. */
export interface DrivenStep {
  /** Slot of the request's figures: its index in `listRecordedRequests` of the plan. */
  readonly requestIndex: number;
  readonly request: BuiltRequest;
  /** Returns whether a status code counts as `ok`. */
  isExpected(status: number): boolean;
  /** Reads the responses; null if the status alone decides the outcome. */
  readonly reader: ResponseReader | null;
  /** Page that the response belongs to; left out for single requests. */
  readonly page?: PageRequest;
  /** Origin of the request's target; left out for the target of the load. */
  readonly origin?: string;
  readonly sideOrigin?: string;
  /** Settings of a stream; left out if the response is not a stream. */
  readonly stream?: StreamRules;
  readonly user?: number;
  /** Poll that the request belongs to; left out if it is not part of a poll. */
  readonly wait?: Wait;
}

/** A poll. All requests of a poll count in the stage in which the first one was due. */
export interface Wait {
  /** Recorder of the stage in which the first request was due; null before that request. */
  recorder: RequestRecorder | null;
}

/** Returns a function that returns whether a status counts as successful: one of the step's statuses, or any 2xx if it names none. */
export function statusCheck({ expectStatus, stream }: Step): (status: number) => boolean {
  if (stream?.kind === 'websocket') return (status) => status === 101;
  if (expectStatus === undefined) return (status) => status >= 200 && status < 300;
  const expected = new Set(expectStatus);
  return (status) => expected.has(status);
}

/**
 * Builds the steps of a journey that never varies, for one target.
 * @throws {HoldfastError} if a request cannot be built.
 */
export function drivenSteps(data: WorkerData, targetIndex: number): DrivenStep[] {
  const target = data.targets[targetIndex];
  if (target === undefined) throw missingPartError('target', targetIndex);
  return data.plan.journey.map((step, requestIndex) => {
    const recipe = new Recipe({
      step,
      targetUrl: target.url,
      headers: runHeaders(data.userAgent, target.headers),
      resolved: data.steps[requestIndex] ?? { headers: {}, body: null },
      files: data.files,
      largeFiles: data.largeFiles,
      lastHeaders: closingHeaders(data.plan),
    });
    return {
      requestIndex,
      request: recipe.build(recipe.urlOf(noValue), noValue, null),
      reader: step.checks.length === 0 ? null : new StepChecks(step.checks),
      isExpected: statusCheck(step),
    };
  });
}

function noValue(name: string): string {
  throw new RangeError(`Nothing gives “${name}” a value in a journey that is always the same.`);
}
