import { equalFigure } from '../framework/figure.ts';
import { countRecorded, loggedPercentile, knownMs, oneStepPlan } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { AFTERWARDS_STAGE, linesDuring } from './learner.ts';

const THINK_SECONDS = 1;

export const interactiveLaw = story({
  id: 'school-site/interactive-law',
  statement: 'More users are no more pages: each waits for the number of users over the pages a second, less the pause.',
  owner: 'measure',
  usualSeconds: 34,
  needs: ['nginx'],
  draw: (dice) => ({ workers: 8, serviceMs: dice.step(380, 440, 20) }),
  async play(scene, { workers, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers, 'service-ms': scene.hidden(serviceMs) });
    const service = serviceMs / 1_000;
    const most = workers / service;
    // The levels are half of the users that saturate the site, then so many users that each waits for one second, and then so many that
    // each waits for three.
    const levels = [0.5 * most * (service + THINK_SECONDS), 2 * most, 4 * most].map(Math.round);
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '/'),
      load: {
        model: 'users',
        thinkTime: { kind: 'fixed', seconds: THINK_SECONDS },
        stages: [
          // Each stage lasts for whole rounds of a page and a pause.
          ...levels.map((users, index) => ({
            users,
            startUpSeconds: users / most,
            seconds: [4 * (service + THINK_SECONDS), 6, 8][index] ?? 8,
          })),
          AFTERWARDS_STAGE,
        ],
      },
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx');
    return [
      equalFigure('pages', countRecorded(result), lines.length),
      ...levels.flatMap((users, index) => {
        const predicted = Math.max(service, users / most - THINK_SECONDS);
        const stage = result.stages[index];
        const measured = (knownMs(stage?.latency.service.p50 ?? null) ?? NaN) / 1_000;
        const byLaw = users / (stage?.rates.completedPerSecond ?? NaN) - THINK_SECONDS;
        const logged = loggedPercentile(linesDuring(result, index, lines), 50) / 1_000;
        // In N / X − Z, only N / X depends on the service time.
        const within = 0.09 * (predicted + (index === 0 ? 0 : THINK_SECONDS));
        return [
          { name: `median of ${users} users`, unit: 's', predicted, measured, logged, within },
          {
            name: `N / X − Z of ${users} users`,
            unit: 's',
            predicted,
            measured: byLaw,
            logged: null,
            within: 0.12 * (predicted + THINK_SECONDS),
          },
        ];
      }),
    ];
  },
});
