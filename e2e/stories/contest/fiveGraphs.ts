import { chartNames } from '#core/presentation/charts/names.ts';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import type { Catalogue } from '#core/machines/monitors/result.ts';
import { POSTGRES_CATALOGUE } from '#core/machines/monitors/services/databases.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { valuesIn } from '../framework/monitored.ts';
import { readReport, countOccurrences } from '../framework/paper.ts';
import { countResponses, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const SECONDS = 6;
/** The connection of the monitor, which is counted by the monitor too. */
const MONITOR_CONNECTIONS = 1;
/** Headings of the graphs, such as “Processor share”. */
const HEADS = [
  ...['cpu.used', 'load.oneMinute', 'memory.used', 'process.cpu'].map((id) => getHead(MACHINE_CATALOGUE, id)),
  getHead(POSTGRES_CATALOGUE, 'postgres.connections'),
];

export const fiveGraphs = story({
  id: 'contest/five-graphs',
  statement: 'Processor, load, memory, connections and the database in one report.',
  owner: 'conclusions',
  usualSeconds: 15,
  needs: ['postgresql'],
  draw: (dice) => ({ pool: dice.whole(10, 16), serviceMs: dice.step(20, 40, 5) }),
  async play(scene, { pool, serviceMs }) {
    const lab = await scene.lab('contest', {
      shards: 1,
      'service-ms': serviceMs,
      database: 'postgresql',
      'database-limit': 60,
      pool: scene.hidden(pool),
    });
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '?asked'),
      // The load has more connections than the largest possible pool, so some requests wait for a connection of the pool.
      load: { model: 'connections', stages: [{ connections: 2 * pool, seconds: SECONDS }] },
      monitors: [
        { kind: 'machine', name: 'contest', processes: ['postgres'] },
        { kind: 'postgres', name: 'database', connection: lab.address('Database') },
      ],
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'contest', ({ path }) => path === '/?asked');
    const report = await readReport(scene, { runId: result.run.id });
    const [, highest] = /Connections: open\s+[\d.,]+\s+([\d.,]+)/.exec(report) ?? [];
    const machine = result.monitors.find(({ name }) => name === 'contest');
    return [
      equalFigure('pages', countResponses(result, 200), countWithStatus(lines, 200)),
      ...HEADS.map((head) => exactFigure(`graph “${head}”`, 1, countOccurrences(report, head), null)),
      {
        name: 'most connections, as the report says',
        unit: '',
        predicted: pool + MONITOR_CONNECTIONS,
        measured: highest === undefined ? null : Number(highest.replaceAll(',', '')),
        logged: null,
        within: 0,
      },
      {
        name: 'seconds of processor and database',
        unit: '',
        predicted: SECONDS,
        measured: Math.min(
          ...['cpu.used', 'load.oneMinute', 'memory.used', 'process.cpu:postgres'].map((key) => valuesIn(machine, key).length),
        ),
        logged: null,
        within: 1,
      },
      exactFigure('databases that are seen at work', 1, valuesIn(machine, 'process.cpu:postgres').some((value) => value > 0) ? 1 : 0, null),
    ];
  },
});

function getHead({ quantities }: Catalogue, id: string): string {
  const quantity = quantities.find((one) => one.id === id);
  if (quantity === undefined) throw new Error(`No monitor tells ${id}.`);
  return `${quantity.chart} ${chartNames.units[quantity.unit]}`;
}
