import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { OWNERS, STREAMS } from '#lab/survey-lab/data.ts';
import { compare, findDifference, countSuccessful, claimsDirection, ratioOf } from '../framework/compared.ts';
import { exactFigure } from '../framework/figure.ts';
import { loggedPercentile, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { playVariants } from '../framework/variants.ts';
import { question, SMALL, success, TIME_TOLERANCE, senderFile } from './survey.ts';

const [TOGETHER, EACH] = [2, 2];
const SERVICE_MS = 100;
const PATH = '/app/stream/read/';
/** The streams, each with its share of the initial rows and the bytes of each row. */
const READS = [
  ...STREAMS.map(({ id, share, bytes }) => ({ name: id, share, bytes })),
  { name: 'half of chatty', share: 0.5, bytes: 100 },
] as const;
type Name = (typeof READS)[number]['name'];

export const rowsOrBytes = story({
  id: 'survey-lab/rows-or-bytes',
  statement: 'Many small rows are worse than few large ones.',
  owner: 'conclusions',
  usualSeconds: 48,
  needs: ['nginx'],
  draw: (dice) => ({ rows: dice.step(9_000, 11_000, 1_000), rowMs: dice.step(180, 220, 10) / 1_000 }),
  async play(scene, { rows, rowMs }) {
    const lab = await scene.lab('survey-lab', { ...SMALL, 'stream-rows': rows, 'service-ms': SERVICE_MS, 'row-ms': scene.hidden(rowMs) });
    const rowsOfShare = (share: number): number => Math.round((rows * share) / OWNERS);
    const pathOf = (name: Name): string => (name === 'half of chatty' ? `${PATH}chatty?num_to_return=${rowsOfShare(0.5)}` : PATH + name);
    const sides = READS.map(({ name, share, bytes }) => ({
      name,
      factors: { rows: rowsOfShare(share), bytes: rowsOfShare(share) * bytes },
      targets: [{ url: new URL(pathOf(name), lab.urls[0]).href }],
    }));
    const plan = {
      feeds: { accounts: { file: await senderFile(scene, lab, OWNERS), order: 'sequential' as const } },
      journey: [question('rows', '', { observer_id: 'lab', stream_version: '1' }, { checks: success })],
      load: { model: 'connections' as const, stages: [{ connections: TOGETHER, requests: TOGETHER * EACH }] },
    };
    const { table, runs } = await playVariants(scene, plan, sides, MIN_RUNS_PER_SIDE);
    const getRuns = (name: Name): readonly RunResult[] => runs[READS.findIndex((one) => one.name === name)] ?? [];
    const compared = [{ name: 'few large' }, { name: 'many small' }];
    const comparison = await compare(scene, compared, [getRuns('bulky'), getRuns('chatty')]);
    const requestCount = READS.length * MIN_RUNS_PER_SIDE * TOGETHER * EACH;
    const lines = await lab.linesWhen(requestCount, 'nginx', ({ path }) => path.startsWith(PATH));
    const loggedMs = (name: Name): number =>
      loggedPercentile(
        lines.filter(({ path }) => path === pathOf(name)),
        50,
      );
    const [few, many] = [rowsOfShare(0.01), rowsOfShare(1)];
    const byRows = (SERVICE_MS + many * rowMs) / (SERVICE_MS + few * rowMs);
    const worse = findDifference(comparison, 1, 'p50');
    const effect = table.effects.find(({ factor, value }) => factor === 'rows' && value === String(many))?.p95;
    const largestBytes = Math.max(...READS.map(({ share, bytes }) => rowsOfShare(share) * bytes));
    const [ofRows = NaN, ofBytes = NaN] = (['rows', 'bytes'] as const).map((name) => getCost(table, name));
    return [
      exactFigure('reads', requestCount, countSuccessful(...runs), countWithStatus(lines, 200)),
      exactFigure('many small rows called worse than few large ones', 1, claimsDirection('worse', worse) ? 1 : 0, null),
      exactFigure('rows called what mattered', 1, effect?.judgement === 'differs' ? 1 : 0, null),
      {
        name: 'times as long, the same bytes in a hundred times the rows',
        unit: '',
        predicted: byRows,
        measured: ratioOf(worse),
        logged: loggedMs('chatty') / loggedMs('bulky'),
        within: 2 * TIME_TOLERANCE * byRows,
      },
      exactFigure('lines through rows and bytes', 1, table.fits.filter(({ refused }) => refused === null).length, null),
      exactFigure('by which all rows cost more than all bytes', 1, ofRows * many > ofBytes * largestBytes ? 1 : 0, null),
      {
        name: 'what a thousand rows cost by it',
        unit: 'ms',
        predicted: 1_000 * rowMs,
        measured: 1_000 * ofRows,
        logged: (1_000 * (loggedMs('chatty') - loggedMs('bulky'))) / (many - few),
        within: TIME_TOLERANCE * 1_000 * rowMs,
      },
    ];
  },
});

/** Returns the cost of one unit of a factor in ms, from the line that was fitted to the series; NaN if there is none. */
function getCost({ fits }: SeriesResult, factor: string): number {
  const foundFactor = fits[0]?.factors.find(({ name }) => name === factor);
  return (foundFactor?.ms ?? NaN) / Number.parseFloat(foundFactor?.each.replaceAll(',', '') ?? '');
}
