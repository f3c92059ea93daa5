import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { valuesIn } from '../framework/monitored.ts';

const SECONDS = 4;
/** Number of connections that PostgreSQL reserves for its administrator. */
const RESERVED = 3;
/** The connection of the monitor, which is counted by the monitor too. */
const MONITOR_CONNECTIONS = 1;

export const databaseProbe = story({
  id: 'contest/database-probe',
  statement:
    'Connections to the database on the time axis of the run: as many as pages are made at once, up to the pools, against its limit.',
  owner: 'hosts',
  usualSeconds: 15,
  needs: ['postgresql'],
  draw: (dice) => ({ limit: dice.step(50, 80, 2), pool: dice.whole(18, 24), few: dice.whole(5, 8), serviceMs: dice.step(150, 200, 10) }),
  async play(scene, { limit, pool, few, serviceMs }) {
    const lab = await scene.lab('contest', {
      shards: 1,
      'service-ms': serviceMs,
      database: 'postgresql',
      'database-limit': scene.hidden(limit),
      pool,
    });
    // The load has more connections than the pool, so some requests wait for a connection of the pool.
    const many = pool + 8;
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '?asked'),
      load: { model: 'connections', stages: [few, many].map((connections) => ({ connections, seconds: SECONDS })) },
      monitors: [{ kind: 'postgres', name: 'database', connection: lab.address('Database') }],
    });
    const open = await connectionsNow(lab.control);
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'contest', ({ path }) => path === '/?asked');
    const database = result.monitors.find(({ name }) => name === 'database');
    const valuesDuring = (stage: number): number[] => {
      const { startedAtSecond: from, endedAtSecond: to } = result.stages[stage] ?? {};
      // The last reading is excluded, because it may be from after the stage.
      return valuesIn(database, 'postgres.connections', from ?? 0, (to ?? 0) - 0.5);
    };
    const line = database?.limits.find(({ chart }) => chart === 'Connections');
    return [
      equalFigure('responses', countResponses(result, 200), countWithStatus(lines, 200)),
      exactFigure(`open while ${few} ask`, few + MONITOR_CONNECTIONS, Math.max(...valuesDuring(0)), null),
      exactFigure(
        `open while ${many} ask, of a pool of ${pool}`,
        pool + MONITOR_CONNECTIONS,
        Math.max(...valuesDuring(1)),
        open + MONITOR_CONNECTIONS,
      ),
      exactFigure('the line across the chart', limit - RESERVED, line?.value ?? NaN, null),
      exactFigure('seconds that are not known', 0, countMissing(database?.values['postgres.connections'] ?? [null]), null),
    ];
  },
});

/** Returns the number of connections according to the practice server's own count. */
async function connectionsNow(control: string): Promise<number> {
  const gauges: unknown = await (await fetch(new URL('gauges', control))).json();
  return typeof gauges === 'object' && gauges !== null && 'connections' in gauges ? Number(gauges.connections) : NaN;
}

function countMissing(values: readonly (number | null)[]): number {
  return values.filter((value) => value === null).length;
}
