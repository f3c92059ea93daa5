import { formatPortion } from '#core/base/units.ts';
import { SERIES } from '../charts/looks.ts';
import { linePath } from '../charts/paths.ts';
import { labelledMarks, maxRarity, RARITY_MARKS, getRarity } from '../charts/rarity.ts';
import { logAxis, roundLevels, timeTicks } from '../charts/valueAxis.ts';
import { formatElapsed, formatTick } from '../charts/units.ts';
import type { BlockOf } from '../document/model.ts';
import { CHART_WIDTH, px } from './background.ts';
import { GRID, INK, markup, type Markup, NOTHING, paperColor, QUIET_INK } from './markup.ts';

const LEFT = 58;
const TOP = 8;
const AXIS_HEIGHT = 22;
const PLOT_HEIGHT = 190;
/** Half the width of “99.999 %” at the end of the axis. */
const RIGHT = 44;
/** Approximate width of a character, and the gap between labels. */
const CHARACTER = 6.2;
const LABEL_GAP = 8;
const LOOKS = { response: SERIES.p99, service: SERIES.service } as const;

/** Renders times by share of responses; rare responses get as much space as common ones. */
export function percentilesFigure({ title, about, lines, summary }: BlockOf<'percentiles'>): Markup {
  const all = lines.flatMap(({ points }) => points.map(({ ms }) => ms));
  const axis = logAxis(Math.min(...all), Math.max(...all));
  const rarest = maxRarity(lines);
  const right = CHART_WIDTH - RIGHT;
  const bottom = TOP + PLOT_HEIGHT;
  const height = bottom + AXIS_HEIGHT;
  const x = (percentile: number): number => LEFT + (Math.min(getRarity(percentile), rarest) / rarest) * (right - LEFT);
  const y = (ms: number): number => bottom - (Math.log(ms / axis.from) / Math.log(axis.to / axis.from)) * PLOT_HEIGHT;
  const levels = axis.ticks.map(
    (tick) =>
      markup`<path d="M${LEFT} ${px(y(tick))}H${right}" stroke="${GRID}"/><text x="${LEFT - 6}" y="${px(y(tick) + 3.5)}" text-anchor="end" fill="${QUIET_INK}">${formatTick(tick, 'ms')}</text>`,
  );
  const marks = RARITY_MARKS.filter((mark) => getRarity(mark) <= rarest + 1e-9).map(
    (mark) => markup`<path d="M${px(x(mark))} ${TOP}V${bottom}" stroke="${GRID}"/>`,
  );
  const labels = labelledMarks(rarest, right - LEFT, (mark) => formatPortion(mark).length * CHARACTER + LABEL_GAP).map(
    (mark) => markup`<text x="${px(x(mark))}" y="${bottom + 15}" text-anchor="middle" fill="${QUIET_INK}">${formatPortion(mark)}</text>`,
  );
  const drawn = lines.map(({ kind, points }) => {
    const { color, dash } = LOOKS[kind];
    const path = linePath(points.map(({ percentile, ms }) => ({ x: x(percentile), y: y(ms) })));
    return markup`<path d="${path}" stroke="${paperColor(color)}"${getDash(dash)} stroke-width="2" fill="none"/>`;
  });
  const key =
    lines.length < 2
      ? NOTHING
      : markup`<ul class="key">${lines.map(({ kind, name }) => {
          const { color, dash } = LOOKS[kind];
          return markup`<li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12"><path d="M0 6H18" stroke="${paperColor(color)}"${getDash(dash)} stroke-width="2"/></svg> ${name}</li>`;
        })}</ul>`;
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${about}</span></figcaption>${key}<svg role="img" aria-label="${`${title}. ${summary}`}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" font-size="11">${levels}${marks}${labels}<path d="M${LEFT} ${bottom}H${right}" stroke="${QUIET_INK}"/>${drawn}</svg></figure>`;
}

function getDash(dash: string): Markup {
  return dash === '' ? NOTHING : markup` stroke-dasharray="${dash}"`;
}

const ROW_HEIGHT = 10;
const MAX_TICKS = 9;
/** Number of greys that are distinguishable on paper. */
const SHADES = 6;
const MIN_OPACITY = 0.12;

/** Renders a heat map of response times: darker means a larger share of that moment's responses. One ink, so that copies in black and white are legible. */
export function heatmapFigure({ title, about, columns, edgesMs, summary }: BlockOf<'heatmap'>): Markup {
  const rows = Math.max(edgesMs.length - 1, 0);
  const last = columns.at(-1);
  const end = last === undefined ? 1 : last.second + last.width;
  const right = CHART_WIDTH - RIGHT;
  const bottom = TOP + rows * ROW_HEIGHT;
  const height = bottom + AXIS_HEIGHT;
  const x = (second: number): number => LEFT + (second / end) * (right - LEFT);
  // One path per shade instead of thousands of rectangles.
  const shades = Array.from({ length: SHADES }, () => '');
  for (const { second, width, counts } of columns) {
    const fullest = Math.max(...counts);
    for (const [row, count] of counts.entries()) {
      if (count === 0) continue;
      const shade = Math.min(SHADES - 1, Math.floor((Math.log1p(count) / Math.log1p(fullest)) * SHADES));
      const from = px(x(second));
      const wide = px(Math.max(1, x(second + width) - x(second)));
      shades[shade] += `M${from} ${bottom - (row + 1) * ROW_HEIGHT}h${wide}v${ROW_HEIGHT}h${-wide}z`;
    }
  }
  const fields = shades.map((path, shade) =>
    path === ''
      ? NOTHING
      : markup`<path d="${path}" fill="${INK}" fill-opacity="${Math.round(100 * (MIN_OPACITY + ((1 - MIN_OPACITY) * shade) / (SHADES - 1))) / 100}"/>`,
  );
  const levels = roundLevels(edgesMs).map(
    ({ ms, row }) =>
      markup`<text x="${LEFT - 6}" y="${px(bottom - row * ROW_HEIGHT + 3.5)}" text-anchor="end" fill="${QUIET_INK}">${formatTick(ms, 'ms')}</text>`,
  );
  const ticks = timeTicks(0, end, MAX_TICKS).map(
    (tick) =>
      markup`<path d="M${px(x(tick))} ${bottom}v4" stroke="${QUIET_INK}"/><text x="${px(x(tick))}" y="${bottom + 15}" text-anchor="middle" fill="${QUIET_INK}">${formatElapsed(tick)}</text>`,
  );
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${about}</span></figcaption><svg role="img" aria-label="${`${title}. ${summary}`}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" font-size="11">${fields}${levels}<path d="M${LEFT} ${bottom}H${right}" stroke="${QUIET_INK}"/>${ticks}</svg></figure>`;
}
