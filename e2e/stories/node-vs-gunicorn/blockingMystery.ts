import { workersIn } from '#lab/testing/together.ts';
import { equalFigure } from '../framework/figure.ts';
import { countResponses, knownMs, oneStepPlan } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { startMysteries } from './mysteries.ts';

const START_UP_SECONDS = 3;
const SECONDS = 6;

export const blockingMystery = story({
  id: 'node-vs-gunicorn/blocking-server',
  statement: 'The second unknown server: its responses per second times the time of one response alone is its number of workers.',
  owner: 'measure',
  usualSeconds: 20,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ workers: dice.whole(10, 18), serviceMs: dice.step(400, 800, 50) }),
  async play(scene, { workers, serviceMs }) {
    const mysteries = await startMysteries(scene, { workers, serviceMs });
    const { url } = mysteries.synchronous;
    const alone = await scene.run({
      ...oneStepPlan(url, '?alone'),
      load: { model: 'connections', stages: [{ connections: 1, requests: 4 }] },
    });
    const full = await scene.run({
      ...oneStepPlan(url, '?full'),
      load: { model: 'users', stages: [{ users: 3 * workers, startUpSeconds: START_UP_SECONDS, seconds: SECONDS }] },
    });
    await mysteries.stop();
    const lines = await mysteries.synchronous.lines();
    const truth = workersIn(lines.filter(({ path }) => path === '/?full'));
    // Only the seconds in which all users wait, in the queue or at a worker, are used: those between the start-up and the end.
    const steady = full.windows.filter(({ second }) => second > START_UP_SECONDS && second < START_UP_SECONDS + SECONDS - 1);
    const perSecond = steady.reduce((sum, { completed }) => sum + completed, 0) / steady.length;
    const service = knownMs(alone.latency.service.mean);
    const sentCount = full.outcomes.requests.sent + alone.outcomes.requests.sent;
    return [
      equalFigure('sent', sentCount, lines.length),
      equalFigure('responded', full.outcomes.requests.ok + countResponses(alone, 200), lines.length),
      { name: 'service time', unit: 'ms', predicted: serviceMs, measured: service, logged: truth.medianMs, within: 0.05 * serviceMs },
      {
        name: 'workers',
        unit: '',
        predicted: workers,
        measured: service === null ? null : (perSecond * service) / 1_000,
        logged: truth.workers,
        within: 1,
      },
    ];
  },
});
