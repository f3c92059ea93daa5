import { connectionLimits, connections, memoryForLimit } from '#core/calculators/connections/connections.ts';
import { requireInputs } from '#core/calculators/calculator.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

/** Number of connections that PostgreSQL reserves for its administrator. */
const RESERVED = 3;
const PAGES = 200;

export const memoryFormulas = story({
  id: 'contest/memory-formulas',
  statement: 'How many connections a database of a size allows, by both formulas.',
  owner: 'conclusions',
  usualSeconds: 14,
  needs: ['postgresql'],
  // The memory is so small that it allows one connection per 9.5 MB.
  draw: (dice) => ({ gibibytes: dice.whole(40, 70) / 100 }),
  async play(scene, { gibibytes }) {
    const allowed = connectionLimits(gibibytes);
    const lab = await scene.lab('contest', {
      shards: 1,
      'service-ms': 5,
      database: 'postgresql',
      'database-limit': scene.hidden(allowed.postgresql),
      pool: 4,
    });
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '?asked'),
      load: { model: 'connections', stages: [{ connections: 4, requests: PAGES }] },
      monitors: [{ kind: 'postgres', name: 'database', connection: lab.address('Database') }],
    });
    const lines = await lab.linesWhen(PAGES, 'contest', ({ path }) => path === '/?asked');
    const reportedValue =
      result.monitors.find(({ name }) => name === 'database')?.limits.find(({ chart }) => chart === 'Connections')?.value ?? NaN;
    const seen = reportedValue + RESERVED;
    const calculate = (limit: number): string[] =>
      connections.calculate(requireInputs(connections, { 'memory-gib': gibibytes, 'limit-seen': limit })).notes.map(({ text }) => text);
    const countLinesWith = (limit: number, words: string): number => calculate(limit).filter((text) => text.includes(words)).length;
    return [
      equalFigure('pages', countResponses(result, 200), countWithStatus(lines, 200)),
      exactFigure('connections that the database tells to allow', allowed.postgresql, seen, null),
      {
        name: 'memory that they follow from',
        unit: 'GiB',
        predicted: gibibytes,
        measured: memoryForLimit(seen).postgresql,
        logged: null,
        // The tolerance is one connection.
        within: gibibytes / allowed.postgresql,
      },
      exactFigure('the calculator recognizes PostgreSQL', 1, countLinesWith(seen, 'PostgreSQL.'), null),
      exactFigure('and MySQL by its own formula', 1, countLinesWith(allowed.mysql, 'fits MySQL'), null),
    ];
  },
});
