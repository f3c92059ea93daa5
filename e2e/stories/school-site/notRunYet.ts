import { exactFigure, equalFigure } from '../framework/figure.ts';
import { meanMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { TIME_TOLERANCE } from './learner.ts';

export const notRunYet = story({
  id: 'school-site/not-run-yet',
  statement: 'Cycles without results are shown as not run, and not as zeros.',
  owner: 'measure',
  usualSeconds: 11,
  needs: ['nginx'],
  draw: (dice) => ({ users: dice.whole(12, 16), seconds: dice.whole(3, 4), serviceMs: dice.step(320, 400, 20) }),
  async play(scene, { users, seconds, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers: 20, 'service-ms': scene.hidden(serviceMs) });
    const table = await scene.series(
      { ...oneStepPlan(lab.urls[0] ?? '', '/'), load: { model: 'users', stages: [{ users, seconds }] } },
      { users: [users, 50, 100, 150] },
      ({ rows }, stop) => {
        if (rows[0]?.state === 'value') stop();
      },
    );
    const [first, cutOff, ...others] = table.rows;
    const sentCount = first?.runs[0]?.figures?.sent ?? NaN;
    // The second cell may have begun when the series was stopped. Its requests are kept.
    const all = sentCount + (cutOff?.runs[0]?.figures?.sent ?? 0);
    const lines = await lab.linesWhen(all, 'nginx');
    return [
      equalFigure('pages', all, lines.length),
      equalFigure('pages that came in the first', first?.runs[0]?.figures?.ok ?? NaN, countWithStatus(lines.slice(0, sentCount), 200)),
      exactFigure('cycles with a value', 1, table.rows.filter(({ state }) => state === 'value').length, null),
      exactFigure('not run', 2, others.filter(({ state }) => state === 'notRun').length, null),
      exactFigure(
        'figures of those',
        0,
        others.filter(({ throughput, p50, failedShare }) => throughput ?? p50 ?? failedShare).length,
        null,
      ),
      {
        name: 'median of the first',
        unit: 'ms',
        predicted: serviceMs,
        measured: first?.p50?.median ?? null,
        logged: meanMs(lines.slice(0, sentCount)),
        within: TIME_TOLERANCE * serviceMs,
      },
    ];
  },
});
