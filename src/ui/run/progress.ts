import type { LiveSnapshot } from '#contract/replies.ts';
import { requestsOf, secondsOf } from '#core/work/load/stages.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { formatElapsed } from '#core/presentation/charts/units.ts';
import { laterWords } from '../words/laterWords.ts';

/** Progress of a run. `share` is null if its end is unknown. */
export interface Progress {
  readonly share: number | null;
  readonly done: string;
  readonly left: string;
}

const texts = laterWords.live.progress;

/**
 * Returns the progress by time if the plan has a duration, else by requests, else only the elapsed time. `perSecond` is the recent number
 * of responses per second.
 */
export function formatProgress(live: LiveSnapshot, perSecond: number | null): Progress {
  const { run, elapsedSeconds, plannedSeconds, plannedRequests, outcomes } = live;
  const isEnding = run.state === 'draining' || run.endedBecause !== null;
  if (plannedSeconds !== null) {
    const remaining = Math.max(0, plannedSeconds - elapsedSeconds);
    return {
      share: clamp(elapsedSeconds / plannedSeconds),
      done: texts.ofTime(formatElapsed(Math.min(elapsedSeconds, plannedSeconds)), formatElapsed(plannedSeconds)),
      left: remaining > 0 && !isEnding ? texts.left(formatElapsed(remaining)) : texts.last,
    };
  }
  if (plannedRequests !== null && plannedRequests > 0) {
    const { sent } = outcomes.requests;
    const remaining = Math.max(0, plannedRequests - sent);
    return {
      share: clamp(sent / plannedRequests),
      done: texts.ofRequests(formatCount(sent), formatCount(plannedRequests)),
      left: remaining === 0 || isEnding ? texts.last : perSecond ? texts.aboutLeft(formatSeconds(Math.ceil(remaining / perSecond))) : '',
    };
  }
  return { share: null, done: texts.soFar(formatElapsed(elapsedSeconds)), left: '' };
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** A stage as a part of the progress bar. `share` is the part's size relative to the whole bar. `done` is from 0 to 1. */
export interface Segment {
  readonly name: string;
  readonly counted: boolean;
  readonly share: number;
  readonly done: number;
  readonly isNow: boolean;
}

/**
 * Returns the stages as parts of one progress bar. Their sizes are by time, by requests, or equal if stages are planned in different units.
 */
export function listSegments(plan: Plan, live: LiveSnapshot): Segment[] {
  const { stages } = plan.load;
  const byTime = stages.every((stage) => secondsOf(stage) !== null);
  const byRequests = stages.every((stage) => requestsOf(stage) !== null);
  const sizes = stages.map((stage) => (byTime ? secondsOf(stage) : byRequests ? requestsOf(stage) : 1) ?? 1);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const passed = byTime ? live.elapsedSeconds : live.outcomes.requests.sent;
  const isOver = live.run.state === 'draining' || live.run.endedAt !== null;
  const now = isOver ? stages.length : (live.stage?.index ?? 0);
  let before = 0;
  return stages.map(({ counted }, index) => {
    const size = sizes[index] ?? 0;
    const done = byTime || byRequests ? clamp((passed - before) / size) : index < now ? 1 : 0;
    before += size;
    return { name: stageName(plan, index), counted, share: size / whole, done, isNow: index === now };
  });
}
