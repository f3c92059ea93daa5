import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import type { RunResult } from '#core/result/schema.ts';
import { OWNERS } from '#lab/survey-lab/data.ts';
import { compare, findDifference, countSuccessful, claimsDirection, ratioOf } from '../framework/compared.ts';
import { exactFigure } from '../framework/figure.ts';
import { getGauge } from '../framework/gauge.ts';
import { loggedPercentile, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { SMALL, streamRows, senderFile } from './survey.ts';

const ROWS = 20;
const WARM_QUERIES = 3;
const QUERIES_PER_STEP = 1 + WARM_QUERIES + 1;
const PATH = '/app/stream/read';
const [FIRST_TIME, CACHED] = ['first time', 'again'];
const SIDES = [{ name: 'without' }, { name: 'with' }] as const;
type Side = (typeof SIDES)[number]['name'];
/** Share of the rows that belong to the stream with few rows. */
const FEW_ROWS_SHARE = 0.01;
/** Tolerance for the time of reading the table, which depends on this machine and on other load. */
const DISK_TIME_TOLERANCE = 0.4;
/** Minimum factor by which the index makes reading faster. */
const MIN_SPEEDUP = 20;

export const index = story({
  id: 'survey-lab/index',
  statement: 'A query with and without its index: before and after, cold and warm.',
  owner: 'conclusions',
  usualSeconds: 21,
  needs: ['nginx'],
  draw: (dice) => ({ rows: dice.step(150_000, 170_000, 5_000), diskMs: dice.step(80, 95, 5) / 1_000 }),
  async play(scene, { rows, diskMs }) {
    const lab = await scene.lab('survey-lab', {
      ...SMALL,
      'stream-rows': scene.hidden(rows),
      index: false,
      'service-ms': 0,
      'disk-ms': diskMs,
    });
    const blocks = await getGauge(lab, 'blocks of streams');
    const file = await senderFile(scene, lab, OWNERS);
    const results: Record<Side, RunResult[]> = { without: [], with: [] };
    const few = { stream_id: 'sparse' };
    const many = { stream_id: 'frequent', num_to_return: String(ROWS) };
    const run = async (side: Side): Promise<void> => {
      await lab.act(side === 'with' ? 'create-index' : 'drop-index');
      await lab.act('empty-cache');
      const result = await scene.run({
        targets: [{ url: lab.urls[0] ?? '' }],
        feeds: { accounts: { file, order: 'sequential' } },
        journey: [
          ...[FIRST_TIME, CACHED].map((name) => streamRows(name, `${PATH}?${side}-${name.replace(' ', '-')}`, ROWS, many)),
          streamRows('few', PATH, (FEW_ROWS_SHARE * rows) / OWNERS, few),
        ],
        flow: [FIRST_TIME, { repeat: WARM_QUERIES, flow: [CACHED] }, 'few'],
        load: { model: 'connections', stages: [{ connections: 1, requests: QUERIES_PER_STEP }] },
      });
      results[side].push(result);
    };
    for (let repeat = 0; repeat < MIN_RUNS_PER_SIDE; repeat += 1)
      for (const side of repeat % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) await run(side);
    const comparison = await compare(
      scene,
      SIDES,
      SIDES.map(({ name }) => results[name]),
    );
    const requestCount = 2 * MIN_RUNS_PER_SIDE * QUERIES_PER_STEP;
    const lines = await lab.linesWhen(requestCount, 'survey', ({ path }) => path.startsWith(PATH));
    const loggedMs = (what: string, percent = 50): number =>
      loggedPercentile(
        lines.filter(({ path }) => path.endsWith(what)),
        percent,
      );
    const [cold, warm] = [FIRST_TIME, CACHED].map((name) => findDifference(comparison, 1, 'p50', name));
    const timesLess = 1 / ratioOf(warm);
    const fromDisk = blocks * diskMs;
    return [
      exactFigure('queries with all their rows', requestCount, countSuccessful(results.without, results.with), countWithStatus(lines, 200)),
      ...([cold, warm] as const).map((difference, place) =>
        exactFigure(`surely better, ${place === 0 ? 'cold' : 'warm'}`, 1, claimsDirection('better', difference) ? 1 : 0, null),
      ),
      exactFigure(
        `at least ${MIN_SPEEDUP} times as quick`,
        1,
        timesLess >= MIN_SPEEDUP ? 1 : 0,
        loggedMs('without-again') / loggedMs('with-again') >= MIN_SPEEDUP ? 1 : 0,
      ),
      {
        name: 'cold less warm, without the index',
        unit: 'ms',
        predicted: fromDisk,
        // The fastest read of each kind is compared.
        measured: (cold?.from?.least ?? NaN) - (warm?.from?.least ?? NaN),
        logged: loggedMs('without-first-time', 0) - loggedMs('without-again', 0),
        within: DISK_TIME_TOLERANCE * fromDisk,
      },
    ];
  },
});
