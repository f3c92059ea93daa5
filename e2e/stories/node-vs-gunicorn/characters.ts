import { workersIn } from '#lab/testing/together.ts';
import { exactly, same } from '../framework/figure.ts';
import { loggedPercentile, oneStep } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

/** Only `load` has to be there: the search makes its own. */
const LOAD = { model: 'users' as const, stages: [{ users: 1, seconds: 1 }] };

export const asynchronous = story({
  id: 'node-vs-gunicorn/asynchronous',
  statement: 'Latency stays flat while throughput follows the users: asynchronous, with this delay.',
  owner: 'conclusions',
  usualSeconds: 35,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ delayMs: dice.step(200, 350, 10) }),
  async play(scene, { delayMs }) {
    const lab = await scene.lab('node-vs-gunicorn', { 'mystery-async-ms': scene.hidden(delayMs), 'mystery-first': 'async', replicas: 1 });
    const { answer, runs } = await scene.study({
      kind: 'characterize',
      plan: { ...oneStep(lab.address('Mystery 1'), '?asked'), load: LOAD },
      settings: { maxUsers: 64, secondsEach: 2, idleSeconds: 0, coolDownSeconds: 0 },
    });
    await lab.stop();
    const lines = await lab.lines('mystery-1', ({ path }) => path === '/?asked');
    const isServer = answer.kind === 'characterize';
    return [
      same(
        'sent',
        runs.reduce((sum, { requests }) => sum + requests, 0),
        lines.length,
      ),
      exactly('called asynchronous', 1, isServer && answer.server === 'asynchronous' ? 1 : 0, null),
      {
        name: 'delay',
        unit: 'ms',
        predicted: delayMs,
        measured: isServer ? (answer.serviceMs?.value ?? null) : null,
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
    const lab = await scene.lab('node-vs-gunicorn', {
      'mystery-workers': scene.hidden(workers),
      'mystery-sync-ms': serviceMs,
      'mystery-first': 'sync',
      replicas: 1,
    });
    const { answer, runs } = await scene.study({
      kind: 'characterize',
      plan: { ...oneStep(lab.address('Mystery 1'), '?asked'), load: LOAD },
      settings: { maxUsers: 64, secondsEach: 2, idleSeconds: 0, coolDownSeconds: 0 },
    });
    await lab.stop();
    const lines = await lab.lines('mystery-1', ({ path }) => path === '/?asked');
    const truth = workersIn(lines);
    const isServer = answer.kind === 'characterize';
    const knee = (1_000 * workers) / serviceMs;
    return [
      same(
        'sent',
        runs.reduce((sum, { requests }) => sum + requests, 0),
        lines.length,
      ),
      {
        name: 'workers',
        unit: '',
        predicted: workers,
        measured: isServer ? (answer.workers?.value ?? null) : null,
        logged: truth.workers,
        within: 1,
      },
      {
        name: 'largest rate without a queue',
        unit: '/s',
        predicted: knee,
        measured: isServer ? answer.fullPerSecond : null,
        logged: (1_000 * truth.workers) / truth.medianMs,
        within: 0.1 * knee,
      },
    ];
  },
});
