import { formatPortion } from '#core/base/units.ts';
import { SERIES } from '../charts/looks.ts';
import { linePath } from '../charts/paths.ts';
import { rarityOf, chooseLabelledMarks, maxRarity, RARITY_MARKS } from '../charts/rarity.ts';
import { linearAxis, logAxis, roundLevels, timeTicks } from '../charts/valueAxis.ts';
import { formatElapsed, formatTick, formatValue } from '../charts/units.ts';
import type { BlockOf } from '../document/model.ts';
import { CHART_WIDTH, LETTER_WIDTH, roundPixels } from './background.ts';
import { GRID, INK, markup, type Markup, NOTHING, paperColor, QUIET_INK } from './markup.ts';
import { levelAxis, type LevelLine, listOutcomes, thinOutTicks } from '../charts/levels.ts';
import { chartNames } from '../charts/names.ts';

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
  const x = (percentile: number): number => LEFT + (Math.min(rarityOf(percentile), rarest) / rarest) * (right - LEFT);
  const y = (ms: number): number => bottom - (Math.log(ms / axis.from) / Math.log(axis.to / axis.from)) * PLOT_HEIGHT;
  const levels = axis.ticks.map(
    (tick) =>
      markup`<path d="M${LEFT} ${roundPixels(y(tick))}H${right}" stroke="${GRID}"/><text x="${LEFT - 6}" y="${roundPixels(y(tick) + 3.5)}" text-anchor="end" fill="${QUIET_INK}">${formatTick(tick, 'ms')}</text>`,
  );
  const marks = RARITY_MARKS.filter((mark) => rarityOf(mark) <= rarest + 1e-9).map(
    (mark) => markup`<path d="M${roundPixels(x(mark))} ${TOP}V${bottom}" stroke="${GRID}"/>`,
  );
  const labels = chooseLabelledMarks(rarest, right - LEFT, (mark) => formatPortion(mark).length * CHARACTER + LABEL_GAP).map(
    (mark) =>
      markup`<text x="${roundPixels(x(mark))}" y="${bottom + 15}" text-anchor="middle" fill="${QUIET_INK}">${formatPortion(mark)}</text>`,
  );
  const drawn = lines.map(({ kind, points }) => {
    const { color, dash } = LOOKS[kind];
    const path = linePath(points.map(({ percentile, ms }) => ({ x: x(percentile), y: y(ms) })));
    return markup`<path d="${path}" stroke="${paperColor(color)}"${dashAttribute(dash)} stroke-width="2" fill="none"/>`;
  });
  const key =
    lines.length < 2
      ? NOTHING
      : markup`<ul class="key">${lines.map(({ kind, name }) => {
          const { color, dash } = LOOKS[kind];
          return markup`<li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12"><path d="M0 6H18" stroke="${paperColor(color)}"${dashAttribute(dash)} stroke-width="2"/></svg> ${name}</li>`;
        })}</ul>`;
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${about}</span></figcaption>${key}<svg role="img" aria-label="${`${title}. ${summary}`}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" font-size="11">${levels}${marks}${labels}<path d="M${LEFT} ${bottom}H${right}" stroke="${QUIET_INK}"/>${drawn}</svg></figure>`;
}

function dashAttribute(dash: string): Markup {
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
      const from = roundPixels(x(second));
      const wide = roundPixels(Math.max(1, x(second + width) - x(second)));
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
      markup`<text x="${LEFT - 6}" y="${roundPixels(bottom - row * ROW_HEIGHT + 3.5)}" text-anchor="end" fill="${QUIET_INK}">${formatTick(ms, 'ms')}</text>`,
  );
  const ticks = timeTicks(0, end, MAX_TICKS).map(
    (tick) =>
      markup`<path d="M${roundPixels(x(tick))} ${bottom}v4" stroke="${QUIET_INK}"/><text x="${roundPixels(x(tick))}" y="${bottom + 15}" text-anchor="middle" fill="${QUIET_INK}">${formatElapsed(tick)}</text>`,
  );
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${about}</span></figcaption><svg role="img" aria-label="${`${title}. ${summary}`}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" font-size="11">${fields}${levels}<path d="M${LEFT} ${bottom}H${right}" stroke="${QUIET_INK}"/>${ticks}</svg></figure>`;
}

const HEIGHT = 178;
const LEVELS_RIGHT = CHART_WIDTH - 24;
const BOTTOM = HEIGHT - 38;
const VALUE_TICKS = 5;
const LEVEL_LABEL_GAP = 10;
const FAILED = '#a3201d';
const OPEN = '#8a5a00';

type XOfIndex = (index: number) => number;

/** Renders values over levels, as the app does: failed levels have a cross, inconclusive ones a ring. */
export function levelsFigure({ chart }: BlockOf<'levels'>): Markup {
  const { title, about, unit, axisName, lines, categories } = chart;
  const axis = levelAxis(chart);
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.flatMap((value) => value?.most ?? [])));
  const scale = linearAxis(highest, VALUE_TICKS, unit === 'count');
  const inset = chart.numbers === null ? 24 : 0;
  const x = (share: number): number => roundPixels(LEFT + inset + share * (LEVELS_RIGHT - LEFT - 2 * inset));
  const y = (value: number): number => roundPixels(BOTTOM - (value / scale.to) * (BOTTOM - TOP));
  const grid = scale.ticks.map(
    (tick) =>
      markup`<path d="M${LEFT} ${y(tick)}H${LEVELS_RIGHT}" stroke="${GRID}"/><text x="${LEFT - 6}" y="${y(tick) + 3.5}" text-anchor="end" fill="${QUIET_INK}">${formatTick(tick, unit)}</text>`,
  );
  const marks = thinOutTicks(axis.ticks, LEVELS_RIGHT - LEFT - 2 * inset, LETTER_WIDTH, LEVEL_LABEL_GAP).map(
    ({ label, share }) =>
      markup`<path d="M${x(share)} ${BOTTOM}v4" stroke="${QUIET_INK}"/><text x="${x(share)}" y="${BOTTOM + 16}" text-anchor="middle" fill="${QUIET_INK}">${label}</text>`,
  );
  const named = axis.isLogarithmic ? `${axisName}, ${chartNames.logScale}` : axisName;
  const drawn = lines.map((line) => lineMarkup(line, (index) => x(axis.shareOf(index)), y));
  const stated = lines
    .map(
      ({ name, values }) =>
        `${name}: ${values.map((value, index) => `${categories[index] ?? ''}: ${value === null ? chartNames.noData : formatValue(value.median, unit)}`).join(', ')}.`,
    )
    .join(' ');
  const heading = about === '' ? chartNames.units[unit] : about;
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${heading}</span></figcaption>${key(lines)}<svg role="img" aria-label="${`${title}. ${stated}`}" viewBox="0 0 ${CHART_WIDTH} ${HEIGHT}" width="${CHART_WIDTH}" height="${HEIGHT}" font-size="11">${grid}${marks}<path d="M${LEFT} ${BOTTOM}H${LEVELS_RIGHT}" stroke="${QUIET_INK}"/><text x="${(LEFT + LEVELS_RIGHT) / 2}" y="${HEIGHT - 4}" text-anchor="middle" fill="${INK}">${named}</text>${drawn}</svg></figure>`;
}

function lineMarkup({ look, values }: LevelLine, x: XOfIndex, y: (value: number) => number): Markup {
  const color = paperColor(look.color);
  const dash = look.dash === '' ? NOTHING : markup` stroke-dasharray="${look.dash}"`;
  const path = values
    .flatMap((value, index) =>
      value === null ? [] : [`${index > 0 && values[index - 1] !== null ? 'L' : 'M'}${x(index)} ${y(value.median)}`],
    )
    .join('');
  const points = values.map((value, index) => {
    if (value === null) return NOTHING;
    const [at, middle] = [x(index), y(value.median)];
    const bar = value.least < value.most ? markup`<path d="M${at} ${y(value.least)}V${y(value.most)}" stroke="${color}"/>` : NOTHING;
    return markup`${bar}${pointMarkup(at, middle, value.outcome, color)}`;
  });
  return markup`<path d="${path}" stroke="${color}"${dash} stroke-width="2" fill="none"/>${points}`;
}

function pointMarkup(x: number, y: number, outcome: 'failed' | 'inconclusive' | undefined, color: string): Markup {
  if (outcome === 'failed') return markup`<path d="M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8" stroke="${FAILED}" stroke-width="2.4"/>`;
  if (outcome === 'inconclusive') return markup`<circle cx="${x}" cy="${y}" r="4" fill="#fff" stroke="${OPEN}" stroke-width="2"/>`;
  return markup`<circle cx="${x}" cy="${y}" r="3.2" fill="${color}"/>`;
}

/** Renders the names of several lines, and the meaning of marked points. */
function key(lines: readonly LevelLine[]): Markup {
  const named = lines.length < 2 ? [] : lines;
  const outcomes = listOutcomes(lines);
  if (named.length === 0 && outcomes.length === 0) return NOTHING;
  const swatch = (drawn: Markup, name: string): Markup =>
    markup`<li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12">${drawn}</svg> ${name}</li>`;
  const ofLines = named.map(({ name, look }) =>
    swatch(
      markup`<path d="M0 6H18" stroke="${paperColor(look.color)}"${look.dash === '' ? NOTHING : markup` stroke-dasharray="${look.dash}"`} stroke-width="2"/>`,
      name,
    ),
  );
  return markup`<ul class="key">${ofLines}${outcomes.map((outcome) => swatch(pointMarkup(9, 6, outcome, INK), chartNames.levels.outcomes[outcome]))}</ul>`;
}
