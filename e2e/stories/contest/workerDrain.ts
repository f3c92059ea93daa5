import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, meanMs } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { drainSecondsOf, handIn } from './handIn.ts';

export const workerDrain = story({
  id: 'contest/worker-drain',
  statement: 'All solutions of a contest handed in at once: jobs times their length over the number of evaluators is how long it takes.',
  owner: 'measure',
  usualSeconds: 18,
  needs: [],
  draw: (dice) => ({ jobs: dice.step(160, 200, 20), evaluators: dice.whole(4, 5), evaluationMs: dice.step(280, 320, 10) }),
  async play(scene, { jobs, evaluators, evaluationMs }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': 5, evaluators, 'evaluation-ms': scene.hidden(evaluationMs) });
    const { submitted, polled, drainSeconds } = await handIn(scene, lab, jobs);
    await lab.stop();
    const log = await lab.lines('evaluations');
    const polls = await lab.lines('contest', ({ path }) => path.endsWith(`/submissions/${jobs}`));
    const predicted = (Math.ceil(jobs / evaluators) * evaluationMs) / 1_000;
    return [
      exactFigure('handed in', jobs, countResponses(submitted, 302), log.length),
      equalFigure('polls', countResponses(polled, 200), polls.length),
      { name: 'drain', unit: 's', predicted, measured: drainSeconds, logged: drainSecondsOf(log), within: 0.1 * predicted },
      {
        name: 'jobs per second',
        unit: '/s',
        predicted: jobs / predicted,
        measured: jobs / drainSeconds,
        logged: (evaluators * 1_000) / meanMs(log),
        within: 0.1 * (jobs / predicted),
      },
    ];
  },
});
