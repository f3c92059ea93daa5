import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countResponses, oneStepPlan, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';

const SECONDS = 12;
/** Number of pages per leaked connection. */
const PAGES_PER_LEAK = 2;
/** Number of connections that PostgreSQL reserves for its administrator. */
const RESERVED = 3;
/** One or two connections of the pool, and the connection of the monitor itself. */
const OTHER_CONNECTIONS = 2.5;

export const connectionsTrend = story({
  id: 'contest/connections-trend',
  statement: 'Connections to the database grow slowly under the same load: how fast, and how long until their limit.',
  owner: 'hosts',
  usualSeconds: 18,
  needs: ['postgresql'],
  draw: (dice) => ({ limit: dice.step(110, 140, 2), perSecond: dice.step(8, 10, 2) }),
  async play(scene, { limit, perSecond }) {
    const lab = await scene.lab('contest', {
      shards: 1,
      'service-ms': 10,
      database: 'postgresql',
      'database-limit': scene.hidden(limit),
      pool: 2,
      'leak-one-in': PAGES_PER_LEAK,
    });
    const result = await scene.run({
      ...oneStepPlan(lab.urls[0] ?? '', '?leaking'),
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds: SECONDS }] },
      monitors: [{ kind: 'postgres', name: 'database', connection: lab.address('Database') }],
    });
    const lines = await lab.linesWhen(perSecond * SECONDS, 'contest', ({ path }) => path === '/?leaking');
    const leaked = perSecond / PAGES_PER_LEAK;
    const [finding, ...others] = result.findings.filter(({ id }) => id.startsWith('limitAhead.database'));
    // The time is counted from the last reading, which is about a second before the end of the load.
    const remaining = (limit - RESERVED - OTHER_CONNECTIONS - leaked * (SECONDS - 1)) / leaked;
    const begin = Math.min(...lines.map(({ startedAtMs }) => startedAtMs));
    const end = Math.max(...lines.map(({ startedAtMs }) => startedAtMs));
    return [
      exactFigure('pages', perSecond * SECONDS, countResponses(result, 200), countWithStatus(lines, 200)),
      equalFigure('requests', result.outcomes.requests.sent, lines.length),
      exactFigure('findings about it', 1, finding === undefined ? 0 : 1 + others.length, null),
      {
        name: 'growth',
        unit: '/min',
        predicted: 60 * leaked,
        measured: numberIn(finding?.sentence, /grew by ([\d.,]+) a minute/),
        // The number of requests between the first and the last, per minute.
        logged: (60 * (lines.length - 1)) / PAGES_PER_LEAK / ((end - begin) / 1_000),
        within: 0.08 * 60 * leaked,
      },
      {
        name: 'until the limit',
        unit: 's',
        predicted: remaining,
        measured: numberIn(finding?.sentence, /about ([\d.,]+) s later/),
        logged: null,
        within: 1.6,
      },
    ];
  },
});

function numberIn(sentence: string | undefined, form: RegExp): number | null {
  const [, digits] = form.exec(sentence ?? '') ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(',', ''));
}
