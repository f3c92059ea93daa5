import type { LoggedRequest } from '#lab/readLog.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { listAlarms, countResponses, findFindings, figureOf, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { DESCRIPTION, logIn } from './contestant.ts';

const CALM_SECONDS = 6;
/** Number of requests in addition to those for which the pool has connections. They wait from the beginning. */
const WAITING_REQUESTS = 5;
/** Number of times that the pool freezes during the load. */
const FREEZES = 2;
/** Tolerance in seconds, because a monitor reads once a second. */
const MAX_DEVIATION_SECONDS = 1.5;

export const frozenPool = story({
  id: 'contest/frozen-pool',
  statement:
    'Task pages want a second connection of the pool while they hold one: as soon as all are held, everything stands still until the wait is over.',
  owner: 'conclusions',
  usualSeconds: 34,
  needs: ['postgresql'],
  draw: (dice) => ({
    // The default of CMS, a setting that its administrators use, and one without overflow.
    pool: dice.pick([
      { kept: 5, more: 10 },
      { kept: 12, more: 3 },
      { kept: 15, more: 0 },
    ]),
    waitSeconds: dice.whole(7, 9),
    serviceMs: dice.step(150, 250, 50),
  }),
  async play(scene, { pool: { kept, more }, waitSeconds, serviceMs }) {
    const lab = await scene.lab('contest', {
      shards: 1,
      'service-ms': serviceMs,
      database: 'postgresql',
      pool: scene.hidden(kept),
      'pool-overflow': more,
      'pool-wait-ms': 1_000 * waitSeconds,
      'second-connection': true,
    });
    const contestant = await logIn(lab);
    const size = kept + more;
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '', cookie: contestant.cookie }],
      servers: { header: 'X-Shard', expected: 1, pool: 'sqlalchemy' },
      journey: [{ name: 'description', path: DESCRIPTION, expectStatus: [200] }],
      load: {
        model: 'connections',
        stages: [
          { name: 'calm', connections: size - 2, seconds: CALM_SECONDS },
          { name: 'contest', connections: size + WAITING_REQUESTS, seconds: (FREEZES - 0.5) * waitSeconds },
        ],
      },
      monitors: [{ kind: 'postgres', name: 'database', connection: lab.address('Database') }],
    });
    const lines = await lab.linesWhen(result.outcomes.requests.sent, 'contest', ({ path }) => path === DESCRIPTION);
    const [finding, ...others] = findFindings(result, 'freeze');
    const silences = silencesIn(lines, waitSeconds);
    const [first] = silences;
    const begin = result.stages.find(({ name }) => name === 'contest')?.startedAtSecond ?? null;
    const poolWords = finding?.figures?.find(({ what }) => what === 'Pool')?.value;
    return [
      equalFigure('pages', countResponses(result, 200), countWithStatus(lines, 200)),
      equalFigure('pages without a connection', countResponses(result, 500), countWithStatus(lines, 500)),
      exactFigure('findings that explain it', 1, finding === undefined ? 0 : 1 + others.length, null),
      exactFigure('other alarms', 0, listAlarms(result).filter((id) => id !== 'freeze').length, null),
      exactFigure('times that it stood still', FREEZES, (finding?.sentence.match(/\d to \d/g) ?? []).length, silences.length),
      {
        name: 'since',
        unit: 's',
        predicted: begin,
        measured: finding?.range?.fromSecond ?? null,
        logged: first?.fromSecond ?? NaN,
        within: MAX_DEVIATION_SECONDS,
      },
      {
        name: 'for',
        unit: 's',
        predicted: waitSeconds,
        measured: figureOf(finding, 'Froze for'),
        logged: first?.seconds ?? NaN,
        within: MAX_DEVIATION_SECONDS,
      },
      exactFigure('on their way', size + WAITING_REQUESTS, figureOf(finding, 'Requests in flight when it began') ?? NaN, null),
      exactFigure('connections of the pool', size, figureOf(finding, 'Pool') ?? NaN, null),
      exactFigure('of which it keeps', kept, more === 0 ? size : Number(/\((\d+) \+/.exec(poolWords ?? '')?.[1]), null),
      exactFigure('names of its setting', 1, finding?.remedy.includes('pool_size + max_overflow') === true ? 1 : 0, null),
    ];
  },
});

/** Returns the time spans without a response, from the first request on. Only spans that last at least half of the wait are returned. */
function silencesIn(lines: readonly LoggedRequest[], waitSeconds: number): { readonly fromSecond: number; readonly seconds: number }[] {
  const begin = Math.min(...lines.map(({ startedAtMs }) => startedAtMs));
  const ends = lines.map(({ endedAtMs }) => endedAtMs).toSorted((one, other) => one - other);
  return ends.flatMap((end, index) => {
    const seconds = ((ends[index + 1] ?? end) - end) / 1_000;
    return seconds < waitSeconds / 2 ? [] : [{ fromSecond: (end - begin) / 1_000, seconds }];
  });
}
