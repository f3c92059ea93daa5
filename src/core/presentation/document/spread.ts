import { formatMs, formatPortion } from '#core/base/units.ts';
import type { Distribution } from '#core/result/distribution.ts';
import { rarestOf, RARITY_MARKS, rarityOf } from '../charts/rarity.ts';
import { formatElapsed } from '../charts/units.ts';
import { type Block, column, numbers, table, text } from './model.ts';
import { TITLES } from './titles.ts';
import { chartNames } from '../charts/names.ts';

const NAMES = { response: 'response time', service: 'service time' } as const;

/** `tooLong`: reading the times of a run so long would take longer than a report may. */
export type Spread = Distribution | 'tooLong';

const TOO_LONG =
  'The run is so long that this report did not read all of its times again. Its page in Holdfast does, and keeps how they are spread: a report made after that shows it too.';

/** How times are spread: by share of the answers, with the same as a table, and second by second. Nothing where no answer came. */
export function spreadBlocks(spread: Spread): Block[] {
  if (spread === 'tooLong') return text(TOO_LONG);
  const { lines, heatmap } = spread;
  if (lines.length === 0) return [];
  const marks = RARITY_MARKS.filter((mark) => rarityOf(mark) <= rarestOf(lines) + 1e-9);
  const timeAt = (points: (typeof lines)[number]['points'], mark: number): string =>
    formatMs(points.find(({ percentile }) => percentile >= mark - 1e-9)?.ms ?? null);
  const summary = lines
    .map(
      ({ kind, points }) => `${NAMES[kind]}: ${marks.map((mark) => `${formatPortion(mark)} within ${timeAt(points, mark)}`).join(', ')}.`,
    )
    .join(' ');
  const map = mapSummary(heatmap);
  return [
    {
      kind: 'percentiles',
      title: TITLES.timesByShare,
      about:
        'of the counted stages (of all, where those had no answer), logarithmic; to the right the rarest answers, each step ten times as rare',
      lines: lines.map(({ kind, points }) => ({ kind, name: NAMES[kind], points })),
      summary,
    },
    ...table<number | null>(
      'The same in figures',
      [...marks, null],
      [
        column('Within it stayed', (mark) => (mark === null ? 'all answers' : `${formatPortion(mark)} answers`)),
        ...lines.map(({ kind, points }) =>
          numbers<number | null>(NAMES[kind], (mark) => (mark === null ? formatMs(points.at(-1)?.ms ?? null) : timeAt(points, mark))),
        ),
      ],
    ),
    ...(heatmap.columns.length === 0
      ? []
      : [
          {
            kind: 'heatmap' as const,
            title: TITLES.timesOverRun,
            about: 'the darker, the more answers of that moment',
            ...heatmap,
            summary: map,
          },
          { kind: 'text' as const, text: map },
        ]),
  ];
}

/** Where most answers of the first, the middle and the last stretch lie, for who cannot see the picture. */
function mapSummary({ columns, edgesMs }: Distribution['heatmap']): string {
  const filled = columns.filter(({ counts }) => counts.some((count) => count > 0));
  const shown = new Set([filled[0], filled[Math.floor(filled.length / 2)], filled.at(-1)]);
  return [...shown]
    .flatMap((column) => {
      if (column === undefined) return [];
      const row = column.counts.indexOf(Math.max(...column.counts));
      return [chartNames.mostAnswers(formatElapsed(column.second), formatMs(edgesMs[row] ?? 0), formatMs(edgesMs[row + 1] ?? 0))];
    })
    .join(' ');
}
