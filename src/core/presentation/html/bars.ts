import type { Bar, BlockOf } from '../document/model.ts';
import { px } from './background.ts';
import { INK, LINE, QUIET_INK, SERIES_COLORS } from './colors.ts';
import { CHART_WIDTH, LETTER_WIDTH } from './layout.ts';
import { markup, NOTHING, type Markup } from './markup.ts';

const ROW = 22;
const BAR = 12;
const MOST_NAME = 30;
const TEXT_WIDTH = 190;

/** A bar for each name, with a thin line from the least to the most of its values. */
export function barsFigure({ title, bars }: BlockOf<'bars'>): Markup {
  const nameWidth = Math.min(MOST_NAME, Math.max(...bars.map(({ name }) => name.length))) * LETTER_WIDTH + 12;
  const right = CHART_WIDTH - TEXT_WIDTH;
  const highest = Math.max(...bars.map(({ value }) => value?.most ?? 0), 0) || 1;
  const x = (value: number): number => px(nameWidth + (value / highest) * (right - nameWidth));
  const height = bars.length * ROW + 4;
  const label = `${title}. ${bars.map(({ name, text }) => `${name}: ${text}.`).join(' ')}`;
  const rows = bars.map((bar, index) => row(bar, index * ROW + 2, nameWidth, x));
  return markup`<figure><figcaption><strong>${title}</strong></figcaption><svg role="img" aria-label="${label}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" font-size="11"><path d="M${px(nameWidth)} 0V${height}" stroke="${LINE}"/>${rows}</svg></figure>`;
}

function row({ name, value, text }: Bar, top: number, nameWidth: number, x: (value: number) => number): Markup {
  const middle = top + ROW / 2;
  const short = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME - 1)}…` : name;
  const drawn =
    value === null
      ? NOTHING
      : markup`<rect x="${px(nameWidth)}" y="${middle - BAR / 2}" width="${px(x(value.middle) - nameWidth)}" height="${BAR}" fill="${SERIES_COLORS['completed'] ?? INK}" fill-opacity="0.45" stroke="${SERIES_COLORS['completed'] ?? INK}"/><path d="M${x(value.least)} ${middle}H${x(value.most)}M${x(value.least)} ${middle - 3}v6M${x(value.most)} ${middle - 3}v6" stroke="${INK}" fill="none"/>`;
  const end = value === null ? nameWidth + 6 : x(value.most) + 8;
  return markup`<text x="${px(nameWidth - 6)}" y="${middle + 4}" text-anchor="end" fill="${INK}">${short}</text>${drawn}<text x="${px(end)}" y="${middle + 4}" fill="${value === null ? QUIET_INK : INK}">${text}</text>`;
}
