import type { LoggedRequest } from '#lab/readLog.ts';
import { exactFigure } from '../framework/figure.ts';
import { readingsIn, valuesIn } from '../framework/monitored.ts';
import { countResponses } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { logIn } from './contestant.ts';
import { drainSecondsOf, submission } from './handIn.ts';

const PROGRAM = 'cms-evaluator';
/** Time in seconds within which every solution is submitted. */
const SUBMIT_SECONDS = 1;
/** Time in seconds for which the charts continue after the expected end. */
const AFTERWARDS_SECONDS = 2;
/** Minimum share of a processor at which an evaluator counts as working. */
const MIN_BUSY_SHARE = 0.05;

export const drainCharts = story({
  id: 'contest/drain-charts',
  statement:
    'All solutions are handed in at once: the charts of the machine show what the evaluators take of its processors, and when they are done.',
  owner: 'hosts',
  usualSeconds: 15,
  needs: [],
  draw: (dice) => ({
    rounds: dice.whole(8, 10),
    evaluators: dice.whole(3, 4),
    evaluationMs: dice.step(560, 640, 20),
    cpuMs: dice.step(80, 120, 10),
  }),
  async play(scene, { rounds, evaluators, evaluationMs, cpuMs }) {
    const lab = await scene.lab('contest', {
      shards: 1,
      'service-ms': 5,
      evaluators,
      'evaluation-ms': evaluationMs,
      'evaluation-cpu-ms': scene.hidden(cpuMs),
    });
    const jobs = rounds * evaluators;
    const seconds = (rounds * evaluationMs) / 1_000;
    const contestant = await logIn(lab);
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '', cookie: contestant.cookie }],
      journey: [submission(contestant)],
      load: {
        model: 'arrivals',
        stages: [
          { kind: 'count', arrivals: jobs, seconds: SUBMIT_SECONDS },
          { kind: 'pause', seconds: seconds + AFTERWARDS_SECONDS },
        ],
      },
      monitors: [{ kind: 'machine', processes: [PROGRAM] }],
    });
    await lab.stop();
    const log = await lab.lines('evaluations');
    const [machine] = result.monitors;
    const taken = readingsIn(machine, `process.cpu:${PROGRAM}`);
    const busy = taken.filter(({ value }) => value > MIN_BUSY_SHARE);
    const processorSeconds = (jobs * cpuMs) / 1_000;
    return [
      exactFigure('handed in', jobs, countResponses(result, 302), log.length),
      {
        name: 'processor time of the evaluators, by the chart',
        unit: 's',
        predicted: processorSeconds,
        measured: taken.reduce((sum, { value, width }) => sum + value * width, 0),
        logged: sumOf(log) / 1_000,
        // The tolerance allows for the small overhead of each evaluator, which is a separate program, and for ticks of 10 ms.
        within: 0.1 * processorSeconds,
      },
      {
        name: 'until they are done',
        unit: 's',
        predicted: seconds,
        // The time from the first working second to the last, with a resolution of one second.
        measured: busy.length === 0 ? null : (busy.at(-1)?.second ?? 0) - ((busy[0]?.second ?? 0) - (busy[0]?.width ?? 0)),
        logged: drainSecondsOf(log),
        within: 2,
      },
      exactFigure('seconds without a load average', 0, taken.length - valuesIn(machine, 'load.oneMinute').length, null),
      exactFigure('seconds without the processors', 0, taken.length - valuesIn(machine, 'cpu.used').length, null),
    ];
  },
});

function sumOf(log: readonly LoggedRequest[]): number {
  return log.reduce((sum, { cpuMs = NaN }) => sum + cpuMs, 0);
}
