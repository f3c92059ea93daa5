import { randomFrom } from '#core/testing/queueRun.ts';
import { type ServerKind, simulatedRun, type SimulatedSeconds } from '#core/judgement/verdict/testing/simulatedServers.ts';
import { compareSides } from '../compareSides.ts';
import { WHOLE_RUN } from '../comparedRun.ts';
import type { Figure, Scope } from '../schema.ts';
import { runWith } from './simulated.ts';

const RUNS_PER_SIDE = 5;
const RUN_SECONDS = 20;
const PER_SECOND = 20;
const STEPS = ['one', 'two', 'three'];
const STAGES = ['first', 'second'];

/** Returns the share of pairs (five runs of one server per side) that are called different in the whole run, three steps or two stages. */
export function differentShare(kind: ServerKind, pairs: number, seed: number): number {
  let different = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    const runs = Array.from({ length: 2 * RUNS_PER_SIDE }, (_, index) => {
      const runSeed = (seed + pair) * 2 * RUNS_PER_SIDE + index;
      return runWith(index, { figures: computeFigures(simulatedRun(kind, runSeed, RUN_SECONDS, PER_SECOND), runSeed) });
    });
    const side = (name: string, parity: number) => ({ name, runs: runs.filter((_, index) => index % 2 === parity) });
    const [found] = compareSides([side('even', 0), side('odd', 1)], null).pairs;
    if (found?.conclusion === 'differs') different += 1;
  }
  return different / pairs;
}

/** Each request belongs to a random step, and to the stage of its second. */
function computeFigures(seconds: SimulatedSeconds, seed: number): Figure[] {
  const random = randomFrom(seed);
  const steps = STEPS.map((): number[] => []);
  const stages = STAGES.map((): number[] => []);
  for (const [second, times] of seconds.entries())
    for (const time of times) {
      steps[Math.floor(STEPS.length * random())]?.push(time);
      stages[Math.floor((STAGES.length * second) / seconds.length)]?.push(time);
    }
  const slices: [Scope, number[]][] = [
    [WHOLE_RUN, seconds.flat()],
    ...steps.map((times, index): [Scope, number[]] => [{ kind: 'step', name: STEPS[index] ?? '' }, times]),
    ...stages.map((times, index): [Scope, number[]] => [{ kind: 'stage', name: STAGES[index] ?? '' }, times]),
  ];
  return slices.flatMap(([scope, times]) => {
    const good = times.filter(Number.isFinite).toSorted((one, other) => one - other);
    const percentile = (share: number): number | null => good[Math.ceil(share * good.length) - 1] ?? null;
    return [
      { scope, measure: 'goodPerSecond', value: good.length / (scope.kind === 'stage' ? seconds.length / STAGES.length : seconds.length) },
      { scope, measure: 'p50', value: percentile(0.5) },
      { scope, measure: 'p95', value: percentile(0.95) },
      { scope, measure: 'p99', value: percentile(0.99) },
      { scope, measure: 'failedShare', value: times.length === 0 ? null : 1 - good.length / times.length },
    ] satisfies Figure[];
  });
}
