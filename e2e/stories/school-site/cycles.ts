import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countRecorded, meanMs, knownMs, oneStepPlan } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { AFTERWARDS_STAGE, linesDuring } from './learner.ts';

/** Duration of the load in whole seconds, as in the app's throughput. */
const SECONDS = 10;
const TOLERANCE = 0.09;

export const cycles = story({
  id: 'school-site/cycles',
  statement:
    'Cycles of ever more users, started one after the other and recorded when all run: pages a second, their total, and pages an hour.',
  owner: 'measure',
  usualSeconds: 41,
  needs: ['nginx'],
  draw: (dice) => ({ workers: dice.whole(6, 8), serviceMs: dice.step(320, 400, 20) }),
  async play(scene, { workers, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers, 'service-ms': scene.hidden(serviceMs) });
    const levels = [workers / 2, workers, 2 * workers].map(Math.floor);
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '/'),
      load: {
        model: 'users',
        stages: [...levels.map((users) => ({ users, startUpSeconds: 1, seconds: SECONDS, restSeconds: 1 })), AFTERWARDS_STAGE],
      },
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'nginx');
    return [
      equalFigure('pages of the whole run', countRecorded(result), lines.length),
      exactFigure('cycles', levels.length, result.stages.filter(({ counted }) => counted).length, null),
      ...levels.flatMap((users, index) => {
        const stage = result.stages[index];
        const perSecond = Math.min(users, workers) / (serviceMs / 1_000);
        const time = (serviceMs / 1_000) * Math.max(1, users / workers);
        const rate = stage?.rates.completedPerSecond ?? NaN;
        const mean = meanMs(linesDuring(result, index, lines));
        return [
          {
            name: `pages a second of ${users} users`,
            unit: '/s',
            predicted: perSecond,
            measured: rate,
            // If there is no pause, N users request N / R pages a second.
            logged: users / (mean / 1_000),
            within: TOLERANCE * perSecond,
          },
          {
            name: `pages of ${users} users`,
            unit: '',
            predicted: perSecond * SECONDS,
            measured: stage?.requests.ok ?? NaN,
            logged: null,
            within: TOLERANCE * perSecond * SECONDS,
          },
          {
            name: 'pages an hour',
            unit: '/h',
            predicted: perSecond * 3_600,
            measured: rate * 3_600,
            logged: null,
            within: TOLERANCE * perSecond * 3_600,
          },
          {
            name: 'mean',
            unit: 's',
            predicted: time,
            measured: (knownMs(stage?.latency.service.mean ?? null) ?? NaN) / 1_000,
            logged: mean / 1_000,
            within: TOLERANCE * time,
          },
        ];
      }),
    ];
  },
});
