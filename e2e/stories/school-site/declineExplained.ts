import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, meanMs, knownMs, figureOf, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const THINK_SECONDS = 1;
/** Number of whole rounds in a window. All workers respond at the same times, and the window ends between two of these times. */
const ROUNDS = 9;
const PATIENCE_SECONDS = 0.5;
const LONG_SECONDS = 8;

export const declineExplained = story({
  id: 'school-site/decline-explained',
  statement: 'Throughput is flat and the percentiles contradict it: the window was too short and cut slow pages off.',
  owner: 'conclusions',
  usualSeconds: 22,
  needs: ['nginx'],
  draw: (dice) => ({ workers: 8, serviceMs: dice.step(380, 440, 20) }),
  async play(scene, { workers, serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'off', workers, 'service-ms': scene.hidden(serviceMs) });
    const service = serviceMs / 1_000;
    const most = workers / service;
    const seconds = (ROUNDS + 0.5) * service;
    // There are so many users that each would wait for six seconds, which is longer than the window.
    const users = Math.round((6 + THINK_SECONDS) * most);
    const thinkTime = { kind: 'fixed' as const, seconds: THINK_SECONDS };
    // The run without outstanding requests comes first, because the site continues to process requests that were abandoned.
    const few = Math.round(0.5 * most * (service + THINK_SECONDS));
    const long = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '/?long'),
      load: { model: 'users', thinkTime, stages: [{ users: few, seconds: LONG_SECONDS }] },
    });
    const short = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '/?short'),
      load: { model: 'users', thinkTime, stages: [{ users, seconds }] },
      // This imitates a tool that stops at the end of its window.
      drainSeconds: PATIENCE_SECONDS,
    });
    const ofLong = await lab.linesWhen(long.outcomes.requests.sent, 'nginx', ({ path }) => path === '/?long');
    const ofShort = await lab.lines('nginx', ({ path }) => path === '/?short');
    const [explained, ...more] = findFindings(short, 'windowTooShort');
    const byLaw = users / ((ROUNDS * workers) / seconds) - THINK_SECONDS;
    return [
      exactFigure('findings that say the window was too short', 1, explained === undefined ? 0 : 1 + more.length, null),
      exactFigure('the same of a window of five rounds', 0, findFindings(long, 'windowTooShort').length, null),
      {
        name: 'mean by N / X − Z',
        unit: 's',
        predicted: byLaw,
        measured: figureOf(explained, 'Mean by the response time law'),
        logged: null,
        within: 0.09 * (byLaw + THINK_SECONDS),
      },
      {
        name: 'mean that was seen',
        unit: 's',
        predicted: null,
        measured: (knownMs(short.latency.service.mean) ?? NaN) / 1_000,
        logged: meanMs(ofShort.filter(({ status }) => status === 200)) / 1_000,
        within: 0.4,
      },
      equalFigure('pages of the long run', countResponses(long, 200), countWithStatus(ofLong, 200)),
    ];
  },
});
