import type { RunResult } from '#core/result/schema.ts';
import { exactFigure, equalFigure, type Figure } from '../framework/figure.ts';
import { countResponses, findFindings, figureOf, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

/** Number of connections that PostgreSQL reserves for its administrator. */
const RESERVED = 3;
const PER_SECOND = 12;

export const connectionLeak = story({
  id: 'contest/connection-leak',
  statement:
    'Connections to the database that are not given back: refused after (limit − 3) over the leak; half the leak only postpones it.',
  owner: 'measure',
  usualSeconds: 24,
  needs: ['postgresql'],
  draw: (dice) => ({ limit: dice.step(46, 64, 2) }),
  async play(scene, { limit }) {
    const figures: Figure[] = [];
    for (const leakOneIn of [1, 2]) {
      const predicted = ((limit - RESERVED) * leakOneIn) / PER_SECOND;
      const seconds = Math.ceil(predicted + 2);
      const lab = await scene.lab('contest', {
        shards: 1,
        'service-ms': 10,
        database: 'postgresql',
        'database-limit': scene.hidden(limit),
        pool: 2,
        'leak-one-in': leakOneIn,
      });
      const result = await scene.run({
        ...oneStepPlan(lab.urls[0] ?? '', '?leaking'),
        load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: PER_SECOND, seconds }] },
        watch: [{ name: 'connections', url: `${lab.control}gauges`, path: '$.connections', everySeconds: 1, limit: limit - RESERVED }],
      });
      const [reached, ...more] = findFindings(result, 'limitReached').filter(({ level }) => level === 'problem');
      await lab.stop();
      const lines = await lab.lines('contest', ({ path }) => path === '/?leaking');
      const begin = Math.min(...lines.map(({ startedAtMs }) => startedAtMs));
      const refusedRequests = lines.filter(({ status }) => status === 500);
      const leak = leakOneIn === 1 ? 'each leaks' : `one in ${leakOneIn} leaks`;
      const respondedFigure = equalFigure(`responded, ${leak}`, countResponses(result, 200), countWithStatus(lines, 200));
      figures.push(
        // Each response leaks one connection, and the pool has one or two.
        leakOneIn === 1 ? { ...respondedFigure, predicted: limit - RESERVED - 1, within: 3, agreeWithin: 0 } : respondedFigure,
        exactFigure(`findings that blame the limit, ${leak}`, 1, reached === undefined ? 0 : 1 + more.length, null),
        {
          name: `limit reached, ${leak}`,
          unit: 's',
          predicted,
          measured: figureOf(reached, 'Reached in second'),
          logged: null,
          // The tolerance allows for readings that are taken only once a second.
          within: 1.6 + 0.05 * predicted,
        },
        equalFigure(`refused, ${leak}`, countResponses(result, 500), refusedRequests.length),
        {
          name: `first refused, ${leak}`,
          unit: 's',
          predicted,
          // The app reports only the second of the first failure, which may have happened at any time within that second.
          measured: firstFailure(result),
          logged: (Math.min(...refusedRequests.map(({ startedAtMs }) => startedAtMs)) - begin) / 1_000,
          within: 0.6 + 0.05 * predicted,
          agreeWithin: 0.8,
        },
      );
    }
    return figures;
  },
});

function firstFailure({ windows }: RunResult): number | null {
  const point = windows.find(({ failed }) => failed > 0);
  return point === undefined ? null : point.second + point.width / 2;
}
