import { exactFigure } from '../framework/figure.ts';
import { listAlarms, countResponses, loggedPercentile, knownMs, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

const REPLICAS = 3;
/** Load relative to the capacity of one process. Each of three processes gets a third of the load. */
const LOAD = 1.5;

export const replicas = story({
  id: 'node-vs-gunicorn/replicas',
  statement: 'Three processes in turn take the load that one cannot: no error, and p95 is the service time.',
  owner: 'measure',
  usualSeconds: 16,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ serviceMs: dice.step(4_500, 5_500, 100), rounds: dice.whole(8, 11) }),
  async play(scene, { serviceMs, rounds }) {
    const service = serviceMs / SCALE;
    const arrivals = REPLICAS * rounds;
    const lab = await scene.lab('node-vs-gunicorn', { scale: SCALE, 'service-ms': scene.hidden(serviceMs), replicas: REPLICAS });
    const result = await scene.run({
      ...oneStepPlan(lab.address('Node ×'), 'heavy'),
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals, seconds: (arrivals * service) / 1_000 / LOAD }] },
    });
    const lines = await lab.linesWhen(arrivals, 'nginx', isForPage('/node_replicated/heavy'));
    const shares = new Map<string, number>();
    for (const { upstream } of lines) shares.set(upstream, (shares.get(upstream) ?? 0) + 1);
    return [
      exactFigure('warnings', 0, listAlarms(result).length, null),
      exactFigure('without error', arrivals, countResponses(result, 200), countWithStatus(lines, 200)),
      {
        name: 'p95',
        unit: 'ms',
        predicted: service,
        measured: knownMs(result.latency.service.p95),
        logged: loggedPercentile(lines, 95),
        within: 0.15 * service,
      },
      {
        name: 'share of a replica',
        unit: '',
        predicted: rounds,
        measured: countResponses(result, 200) / REPLICAS,
        logged: Math.max(...shares.values()),
        within: 0,
      },
    ];
  },
});
