import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, loggedPercentile, knownMs, figureOf, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

/** Number of fast requests before each page that takes too long. */
const QUICK = 20;
const VISITORS = 10;
/** Service time of the slow page on the scale of the report, in ms. It is longer than any limit that can be drawn. */
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
      // The proxy waits for longer than any worker lives.
      'proxy-timeout-ms': 2 * SERVICE_MS,
      // One user per second requests the slow page and blocks a worker. The other users never need all workers.
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
    const lines = await lab.lines('nginx', isForPage('/gunicorn/timeout'));
    const [finding, ...more] = findFindings(result, 'workerTimeout');
    return [
      exactFigure('broken off', VISITORS, countResponses(result, 500), countWithStatus(lines, 500)),
      equalFigure('responded', countResponses(result, 200), countWithStatus(await lab.lines('nginx', isForPage('/gunicorn/ping')), 200)),
      exactFigure('findings that explain it', 1, finding === undefined ? 0 : 1 + more.length, null),
      exactFigure('seconds that it tells', limitSeconds, figureOf(finding, 'Worker time-out') ?? NaN, null),
      {
        name: 'time of a 500',
        unit: 'ms',
        // The worker is killed at some time within the second in which it is checked.
        predicted: 1_000 * limitSeconds + 500,
        measured: knownMs(result.latencyByStatusClass['5xx']?.p50 ?? null),
        logged: loggedPercentile(lines, 50),
        within: 700,
        agreeWithin: 100,
      },
    ];
  },
});
