import { exactly, same } from '../framework/figure.ts';
import { countResponses, concluded, loggedPercentile, ms, numberIn, withStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { ofPage, SCALE } from './lab.ts';

/** Fast requests before each page that takes too long. */
const QUICK = 20;
const VISITORS = 10;
/** Service time of the slow page in the report's scale: longer than any drawn limit. */
const SERVICE_MS = 80_000;

export const workerTimeout = story({
  id: 'node-vs-gunicorn/worker-timeout',
  statement:
    'gunicorn kills a worker that sends no response for its time limit: who waits gets 500 after so many seconds and up to one more.',
  owner: 'conclusions',
  usualSeconds: 22,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ limitSeconds: dice.whole(2, 4) }),
  async play(scene, { limitSeconds }) {
    const lab = await scene.lab('node-vs-gunicorn', {
      scale: SCALE,
      'service-ms': SERVICE_MS,
      // Longer than the life of any worker.
      'proxy-timeout-ms': 2 * SERVICE_MS,
      // One user per second requests the slow page and blocks a worker; the others never need all workers.
      workers: limitSeconds + 6,
      'worker-timeout-s': scene.hidden(limitSeconds),
      replicas: 1,
    });
    const quick = Array.from({ length: QUICK }, (_, index) => ({ name: `quick ${index + 1}`, path: 'ping' }));
    const result = await scene.run({
      targets: [{ url: lab.address('gunicorn') }],
      journey: [...quick, { name: 'slow', path: 'timeout' }],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: VISITORS, seconds: VISITORS }] },
    });
    const lines = await lab.lines('nginx', ofPage('/gunicorn/timeout'));
    const [finding, ...more] = concluded(result, 'workerTimeout');
    return [
      exactly('broken off', VISITORS, countResponses(result, 500), withStatus(lines, 500)),
      same('responded', countResponses(result, 200), withStatus(await lab.lines('nginx', ofPage('/gunicorn/ping')), 200)),
      exactly('findings that explain it', 1, finding === undefined ? 0 : 1 + more.length, null),
      exactly('seconds that it tells', limitSeconds, numberIn(finding, 'Worker time-out') ?? NaN, null),
      {
        name: 'time of a 500',
        unit: 'ms',
        // At any time within the second of the check.
        predicted: 1_000 * limitSeconds + 500,
        measured: ms(result.latencyByStatusClass['5xx']?.p50 ?? null),
        logged: loggedPercentile(lines, 50),
        within: 700,
        agreeWithin: 100,
      },
    ];
  },
});
