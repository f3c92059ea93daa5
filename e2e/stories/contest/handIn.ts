import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { Scene } from '../framework/scene.ts';
import { logIn, type Contestant } from './contestant.ts';

const TASK = 'harbour';
const POLL_SECONDS = 0.2;
const CONNECTIONS = 4;

/** The result of submitting a number of solutions. */
export interface HandedIn {
  readonly submitted: RunResult;
  readonly polled: RunResult;
  /** Time in seconds from the first submission to the last evaluation, as reported by the app. */
  readonly drainSeconds: number;
}

/** Returns a step that submits a solution. */
export function submission({ xsrf }: Contestant): PlanInput['journey'][number] {
  return {
    name: 'submit',
    method: 'POST',
    path: `/tasks/${TASK}/submit`,
    multipart: [
      { name: '_xsrf', value: xsrf },
      { name: `${TASK}.%l`, fileName: 'solution.cpp', type: 'text/plain', bytes: 1_000 },
    ],
    expectStatus: [302],
  };
}

/**
 * Submits solutions one after the other over a few connections, and then polls the last one until it is evaluated. `before` is the number
 * of earlier submissions.
 */
export async function handIn(scene: Scene, lab: LabProcess, jobs: number, before = 0): Promise<HandedIn> {
  const contestant = await logIn(lab);
  const targets = [{ url: lab.urls[0] ?? '', cookie: contestant.cookie }];
  const submitted = await scene.run({
    targets,
    journey: [submission(contestant)],
    load: { model: 'connections', stages: [{ connections: CONNECTIONS, requests: jobs }] },
  });
  const polled = await scene.run({
    targets,
    journey: [
      {
        name: 'status',
        path: `/tasks/${TASK}/submissions/${before + jobs}`,
        poll: { until: [{ kind: 'json', path: '$.status', equals: 5 }], firstSeconds: POLL_SECONDS, factor: 1 },
      },
    ],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
  });
  return { submitted, polled, drainSeconds: secondsBetween(submitted, polled) };
}

/** Returns the time in seconds from the first request of one run to the end of another one. The time in which threads start is left out. */
function secondsBetween(first: RunResult, last: RunResult): number {
  const begin = Date.parse(first.run.endedAt ?? '') / 1_000 - (first.durationSeconds ?? NaN);
  return Date.parse(last.run.endedAt ?? '') / 1_000 - begin;
}

/** Returns the time in seconds from the start of the first job to the end of the last one. */
export function drainSecondsOf(jobs: readonly LoggedRequest[]): number {
  const begin = Math.min(...jobs.map(({ startedAtMs }) => startedAtMs));
  return (Math.max(...jobs.map(({ endedAtMs }) => endedAtMs)) - begin) / 1_000;
}
