import { workersIn } from '#lab/testing/together.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { loggedPercentile } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { findOut, startMysteries } from './mysteries.ts';

const SETTINGS = { maxUsers: 64, secondsEach: 2 };

export const asynchronous = story({
  id: 'node-vs-gunicorn/asynchronous',
  statement: 'Latency stays flat while throughput follows the users: asynchronous, with this delay.',
  owner: 'conclusions',
  usualSeconds: 35,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ delayMs: dice.step(200, 350, 10) }),
  async play(scene, { delayMs }) {
    const mysteries = await startMysteries(scene, { delayMs });
    const { conclusion, sent } = await findOut(scene, mysteries.asynchronous, SETTINGS);
    await mysteries.stop();
    const lines = await mysteries.asynchronous.lines();
    return [
      equalFigure('sent', sent, lines.length),
      exactFigure('called asynchronous', 1, conclusion.server === 'asynchronous' ? 1 : 0, null),
      {
        name: 'delay',
        unit: 'ms',
        predicted: delayMs,
        measured: conclusion.serviceMs?.value ?? null,
        logged: loggedPercentile(lines, 50),
        within: 0.1 * delayMs,
      },
    ];
  },
});

export const kneeAndWorkers = story({
  id: 'node-vs-gunicorn/knee-and-workers',
  statement: 'The largest rate that does not queue, and by Little how many workers that are.',
  owner: 'conclusions',
  usualSeconds: 35,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ workers: dice.whole(6, 14), serviceMs: dice.step(150, 300, 10) }),
  async play(scene, { workers, serviceMs }) {
    const mysteries = await startMysteries(scene, { workers, serviceMs });
    const { conclusion, sent } = await findOut(scene, mysteries.synchronous, SETTINGS);
    await mysteries.stop();
    const lines = await mysteries.synchronous.lines();
    const truth = workersIn(lines);
    const knee = (1_000 * workers) / serviceMs;
    return [
      equalFigure('sent', sent, lines.length),
      {
        name: 'workers',
        unit: '',
        predicted: workers,
        measured: conclusion.workers?.value ?? null,
        logged: truth.workers,
        within: 1,
      },
      {
        name: 'largest rate without a queue',
        unit: '/s',
        predicted: knee,
        measured: conclusion.fullPerSecond,
        logged: (1_000 * truth.workers) / truth.medianMs,
        within: 0.1 * knee,
      },
    ];
  },
});
