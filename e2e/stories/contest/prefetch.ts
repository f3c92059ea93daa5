import { exactFigure } from '../framework/figure.ts';
import { countResponses } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { drainSecondsOf, handIn } from './handIn.ts';

export const prefetch = story({
  id: 'contest/prefetch',
  statement: 'The first solution of each evaluator waits until the data of the contest are there: fetch them before it starts.',
  owner: 'measure',
  usualSeconds: 12,
  needs: [],
  draw: (dice) => ({ evaluators: dice.whole(3, 5), rounds: dice.whole(6, 8), coldMs: dice.step(3_000, 3_600, 200) }),
  async play(scene, { evaluators, rounds, coldMs }) {
    const evaluationMs = 250;
    const jobs = evaluators * rounds;
    const lab = await scene.lab('contest', {
      shards: 1,
      'service-ms': 5,
      evaluators,
      'evaluation-ms': evaluationMs,
      'cold-cache': true,
      'cold-ms': scene.hidden(coldMs),
    });
    const cold = await handIn(scene, lab, jobs);
    const warm = await handIn(scene, lab, jobs, jobs);
    await lab.stop();
    const log = (await lab.lines('evaluations')).toSorted((remainingRequest, right) => remainingRequest.startedAtMs - right.startedAtMs);
    const [coldJobs, warmJobs] = [log.slice(0, jobs), log.slice(jobs)];
    const cost = coldMs / 1_000;
    return [
      exactFigure('handed in', 2 * jobs, countResponses(cold.submitted, 302) + countResponses(warm.submitted, 302), log.length),
      {
        name: 'cold less warm',
        unit: 's',
        predicted: cost,
        measured: cold.drainSeconds - warm.drainSeconds,
        logged: drainSecondsOf(coldJobs) - drainSecondsOf(warmJobs),
        within: 0.13 * cost,
      },
    ];
  },
});
