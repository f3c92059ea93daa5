import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, loggedPercentile, knownMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

const SECONDS = 9;

export const busyGenerator = story({
  id: 'node-vs-gunicorn/busy-generator',
  statement: 'The generator is too busy itself: the seconds in which it was are marked, and the figures said to be doubtful.',
  owner: 'measure',
  usualSeconds: 15,
  needs: ['nginx', 'python'],
  draw: (dice) => ({
    serviceMs: dice.step(1_800, 2_400, 100),
    perSecond: dice.whole(25, 35),
    times: dice.whole(2, 3),
    heldUpMs: dice.step(500, 600, 20),
  }),
  async play(scene, { serviceMs, perSecond, times, heldUpMs }) {
    const service = serviceMs / SCALE;
    // A limit between two values of p95: that of the server's own times, and that of the times that the blocked generator measures.
    const maxMs = 1.9 * service;
    const lab = await scene.lab('node-vs-gunicorn', { scale: SCALE, 'service-ms': scene.hidden(serviceMs), replicas: 1 });
    scene.holdUpGenerator(times, heldUpMs);
    const result = await scene.run({
      ...oneStepPlan(lab.address('Node'), 'timeout'),
      threads: 1,
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds: SECONDS }] },
      criteria: [{ kind: 'responseTime', percentile: 95, maxMs }],
    });
    const lines = await lab.linesWhen(perSecond * SECONDS, 'nginx', isForPage('/node/timeout'));
    const readings = result.generators[0]?.readings ?? [];
    const heldUp = readings.filter(({ eventLoopDelayMs }) => (eventLoopDelayMs ?? 0) > 0.7 * heldUpMs);
    const isMarked = (second: number): boolean =>
      result.windows.some((window) => window.second === second && window.overloadedBy.includes('eventLoopDelay'));
    const longest = Math.max(...readings.map(({ eventLoopDelayMs }) => eventLoopDelayMs ?? 0));
    const [judged] = result.criteria;
    return [
      exactFigure('requests', perSecond * SECONDS, countResponses(result, 200), countWithStatus(lines, 200)),
      exactFigure('seconds in which it was held up', times, heldUp.length, null),
      exactFigure('of which are marked', times, heldUp.filter(({ second }) => isMarked(second)).length, null),
      exactFigure(
        'findings that say so',
        1,
        result.findings.filter(({ causes = [] }) => causes.some(({ cause }) => cause === 'eventLoopDelay')).length,
        null,
      ),
      exactFigure(
        'limits that are missed or kept',
        0,
        judged?.outcome === 'unknown' && judged.unknownBecause === 'generator' ? 0 : 1,
        null,
      ),
      equalFigure('95th percentiles beyond the limit, by the server', 0, loggedPercentile(lines, 95) > maxMs ? 1 : 0),
      { name: 'the longest of them', unit: 'ms', predicted: heldUpMs, measured: longest, logged: null, within: 0.3 * heldUpMs },
      {
        name: 'median',
        unit: 'ms',
        predicted: service,
        measured: knownMs(result.latency.service.p50),
        logged: loggedPercentile(lines, 50),
        within: 0.1 * service,
      },
    ];
  },
});
