import { MAX_STAGE_SECONDS, MAX_USERS, type ThinkTime } from '#core/plan/schema/load.ts';
import type { Draft, WrittenLoad } from '../draft.ts';
import { ONE_USER_NOTE } from '../notes.ts';
import type { Configuration } from './configuration.ts';

const MAX_CYCLES = 200;

/** Duration of a cycle by default in `fl-run-bench`, in seconds. */
const DEFAULT_DURATION_SECONDS = 10;
const DEFAULT_STARTUP_DELAY_SECONDS = 0.01;

/** Pauses of a thread, in seconds. */
export interface Pauses {
  /** Pause after each page, uniformly distributed between the two values. */
  readonly afterPage: readonly [least: number, most: number];
  /** Additional pause after each test. */
  readonly afterTest: number;
}

export function readPauses(configuration: Configuration): Pauses {
  const seconds = (name: string): number => configuration.number('bench', name) ?? 0;
  const [one, other] = [seconds('sleep_time_min'), seconds('sleep_time_max')];
  // The upper bound is the first setting plus the absolute difference of both settings, as in FunkLoad.
  return { afterPage: [one, one + Math.abs(other - one)], afterTest: seconds('sleep_time') };
}

/** Returns the pause after a page plus `moreSeconds`; undefined if there is no pause. */
export function readThinkTime({ afterPage: [least, most] }: Pauses, moreSeconds = 0): ThinkTime | undefined {
  const [fromSeconds, toSeconds] = [round(least + moreSeconds), round(most + moreSeconds)];
  if (toSeconds === 0) return undefined;
  return fromSeconds === toSeconds ? { kind: 'fixed', seconds: toSeconds } : { kind: 'uniform', fromSeconds, toSeconds };
}

/** Returns a pause that is longer by `least` to `most` seconds. */
export function lengthenPause(pause: ThinkTime | undefined, minSeconds: number, maxSeconds: number): ThinkTime {
  const [from, to] = pause === undefined ? [0, 0] : rangeOf(pause);
  return from + minSeconds === to + maxSeconds
    ? { kind: 'fixed', seconds: to + maxSeconds }
    : { kind: 'uniform', fromSeconds: from + minSeconds, toSeconds: to + maxSeconds };
}

/** Returns the bounds of a pause. FunkLoad has only fixed and uniform pauses. */
export function rangeOf(pause: ThinkTime): readonly [least: number, most: number] {
  if (pause.kind === 'exponential') return [0, 0];
  return pause.kind === 'fixed' ? [pause.seconds, pause.seconds] : [pause.fromSeconds, pause.toSeconds];
}

/** Returns a stage for each cycle. All its users start before measuring begins, and all end before the next cycle. */
export function buildLoad(draft: Draft, configuration: Configuration): WrittenLoad {
  const seconds = (name: string, otherwise: number): number =>
    Math.min(MAX_STAGE_SECONDS, configuration.number('bench', name) ?? otherwise);
  const written = configuration.get('bench', 'cycles') ?? configuration.get('bench', 'cycle') ?? '';
  const cycles = written.split(':').flatMap((users) => {
    const count = /^\s*\d{1,9}\s*$/.test(users) ? Number(users) : 0;
    return count < 1 ? [] : [Math.min(MAX_USERS, count)];
  });
  if (cycles.length > MAX_CYCLES)
    draft.noteLeftOut(
      'bench.cycles',
      `There are ${cycles.length} cycles.`,
      `A plan has at most ${MAX_CYCLES} stages. The rest was left out.`,
    );
  if (cycles.length === 0) draft.noteAssumed('bench.cycles', 'No valid number of users was found.', ONE_USER_NOTE);
  const rest = seconds('cycle_time', 1);
  const delay = seconds('startup_delay', DEFAULT_STARTUP_DELAY_SECONDS);
  const stages = (cycles.length === 0 ? [1] : cycles.slice(0, MAX_CYCLES)).map((users, index) => ({
    name: `${index + 1}: ${users} users`,
    users,
    ...(index === 0 || rest === 0 ? {} : { restSeconds: rest }),
    // FunkLoad starts the users again in each cycle.
    ...(index === 0 ? {} : { continues: false }),
    ...(delay === 0 ? {} : { startUpSeconds: Math.min(MAX_STAGE_SECONDS, round(users * delay)) }),
    seconds: Math.max(1, seconds('duration', DEFAULT_DURATION_SECONDS)),
  }));
  const thinkTime = readThinkTime(readPauses(configuration));
  return { model: 'users', ...(thinkTime === undefined ? {} : { thinkTime }), stages };
}

function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
