import { formatMs, formatPercentile } from '#core/base/units.ts';
import type { Distribution } from '#core/result/distribution.ts';
import { maxRarity, RARITY_MARKS, rarityOf } from '../charts/rarity.ts';
import { formatElapsed } from '../charts/units.ts';
import { type Block, column, numbers, table, text } from './model.ts';
import { TITLES } from './words.ts';
import { chartNames } from '../charts/names.ts';

const TIME_NAMES = { response: 'Response time', service: 'Service time' } as const;

/** Distribution of a report. `tooLong`: the report leaves it out, because reading the times of a long run takes seconds. */
export type Spread = Distribution | 'tooLong';

const TOO_LONG_NOTE =
  'The run is too long to read all its times for this report. Open its page in Holdfast once; reports created after that contain the distribution.';

/** Returns the latency distribution: by percentile, as a table, and over time. Empty without responses. */
export function spreadBlocks(spread: Spread): Block[] {
  if (spread === 'tooLong') return text(TOO_LONG_NOTE);
  const { lines, heatmap } = spread;
  if (lines.length === 0) return [];
  const marks = RARITY_MARKS.filter((mark) => rarityOf(mark) <= maxRarity(lines) + 1e-9);
  const timeAt = (points: (typeof lines)[number]['points'], mark: number): string =>
    formatMs(points.find(({ percentile }) => percentile >= mark - 1e-9)?.ms ?? null);
  const summary = lines
    .map(({ kind, points }) => `${TIME_NAMES[kind]}: ${marks.map((mark) => `p${mark} ${timeAt(points, mark)}`).join(', ')}.`)
    .join(' ');
  const map = mapSummary(heatmap);
  return [
    {
      kind: 'percentiles',
      title: TITLES.timesByShare,
      about: 'of the counted stages (of all stages if those had no response), logarithmic',
      lines: lines.map(({ kind, points }) => ({ kind, name: TIME_NAMES[kind], points })),
      summary,
    },
    ...table<number | null>(
      'Percentiles',
      [...marks, null],
      [
        column('Responses within', (mark) => formatPercentile(mark ?? 100)),
        ...lines.map(({ kind, points }) =>
          numbers<number | null>(TIME_NAMES[kind], (mark) => (mark === null ? formatMs(points.at(-1)?.ms ?? null) : timeAt(points, mark))),
        ),
      ],
    ),
    ...(heatmap.columns.length === 0
      ? []
      : [
          { kind: 'heatmap' as const, title: TITLES.timesOverRun, about: 'darker: more responses at that time', ...heatmap, summary: map },
          { kind: 'text' as const, text: map },
        ]),
  ];
}

/** Describes the heat map for readers who cannot see it: the most frequent latency at the start, in the middle and at the end. */
function mapSummary({ columns, edgesMs }: Distribution['heatmap']): string {
  const filled = columns.filter(({ counts }) => counts.some((count) => count > 0));
  const labelledColumns = new Set([filled[0], filled[Math.floor(filled.length / 2)], filled.at(-1)]);
  return [...labelledColumns]
    .flatMap((column) => {
      if (column === undefined) return [];
      const row = column.counts.indexOf(Math.max(...column.counts));
      return [chartNames.mostResponses(formatElapsed(column.second), formatMs(edgesMs[row] ?? 0), formatMs(edgesMs[row + 1] ?? 0))];
    })
    .join(' ');
}
