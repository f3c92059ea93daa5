import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, findFindings, knownMs, figureOf, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

/** A limit in ms that lies between the two groups of times. */
const LIMIT_MS = 1_000;

export const tail = story({
  id: 'contest/bimodal-tail',
  statement: 'A median of 49 ms and a longest of 5 s: one request in six hundred waits for something else.',
  owner: 'measure',
  usualSeconds: 9,
  needs: [],
  draw: (dice) => ({ requests: dice.step(1_000, 1_400, 100), slowOneIn: dice.whole(50, 80), slowByMs: dice.step(2_000, 2_400, 100) }),
  async play(scene, { requests, slowOneIn, slowByMs }) {
    const lab = await scene.lab('contest', { shards: 1, 'service-ms': 50, 'slow-one-in': scene.hidden(slowOneIn), 'slow-by-ms': slowByMs });
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? ''),
      load: { model: 'connections', stages: [{ connections: 30, requests }] },
      criteria: [{ kind: 'responseTime', percentile: 99, maxMs: LIMIT_MS }],
    });
    await lab.stop();
    const lines = await lab.lines('contest');
    const times = lines.map((line) => line.ms);
    const slow = times.filter((time) => time > LIMIT_MS).length;
    const explained = findFindings(result, 'groups');
    return [
      exactFigure('responded', requests, countResponses(result, 200), countWithStatus(lines, 200)),
      exactFigure('in the slow group', Math.floor(requests / slowOneIn), result.criteria[0]?.over ?? NaN, slow),
      exactFigure('findings that tell two groups', 1, explained.length, null),
      equalFigure('in its slow group', figureOf(explained[0], 'Slow group') ?? NaN, slow),
      {
        name: 'longest',
        unit: 'ms',
        predicted: slowByMs + 50,
        measured: knownMs(result.latency.service.max),
        logged: Math.max(...times),
        within: 0.1 * slowByMs,
      },
    ];
  },
});
