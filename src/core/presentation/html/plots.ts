import { formatPercentile } from '#core/base/units.ts';
import { SERIES } from '../charts/looks.ts';
import { linePath } from '../charts/paths.ts';
import { rarityOf, chooseLabelledMarks, maxRarity, RARITY_MARKS } from '../charts/rarity.ts';
import { linearAxis, logAxis, roundLevels, timeTicks } from '../charts/valueAxis.ts';
import { formatElapsed, formatTick, formatValue } from '../charts/units.ts';
import type { BlockOf } from '../document/model.ts';
import { CHART_WIDTH, LETTER_WIDTH, roundPixels } from './background.ts';
import { GRID_COLOR, INK_COLOR, markup, type Markup, NO_MARKUP, paperColor, QUIET_INK_COLOR } from './markup.ts';
import { levelAxis, type LevelLine, listOutcomes, thinOutTicks } from '../charts/levels.ts';
import { chartNames } from '../charts/names.ts';

const MARGIN_LEFT = 58;
const MARGIN_TOP = 8;
const AXIS_HEIGHT = 22;
const PLOT_HEIGHT = 190;
/** Half the width of the label “99.999 %” at the end of the axis. */
const MARGIN_RIGHT = 44;
/** Approximate width of a character in a label. */
const CHARACTER_WIDTH = 6.2;
const LABEL_GAP = 8;
const LINE_LOOKS = { response: SERIES.p99, service: SERIES.service } as const;

/** Renders times by share of responses. Rare responses get as much space as common ones. */
export function percentilesFigure({ title, about, lines, summary }: BlockOf<'percentiles'>): Markup {
  const all = lines.flatMap(({ points }) => points.map(({ ms }) => ms));
  const axis = logAxis(Math.min(...all), Math.max(...all));
  const rarest = maxRarity(lines);
  const right = CHART_WIDTH - MARGIN_RIGHT;
  const bottom = MARGIN_TOP + PLOT_HEIGHT;
  const height = bottom + AXIS_HEIGHT;
  const x = (percentile: number): number => MARGIN_LEFT + (Math.min(rarityOf(percentile), rarest) / rarest) * (right - MARGIN_LEFT);
  const y = (ms: number): number => bottom - (Math.log(ms / axis.from) / Math.log(axis.to / axis.from)) * PLOT_HEIGHT;
  const levels = axis.ticks.map(
    (tick) =>
      markup`<path d="M${MARGIN_LEFT} ${roundPixels(y(tick))}H${right}" stroke="${GRID_COLOR}"/><text x="${MARGIN_LEFT - 6}" y="${roundPixels(y(tick) + 3.5)}" text-anchor="end" fill="${QUIET_INK_COLOR}">${formatTick(tick, 'ms')}</text>`,
  );
  const marks = RARITY_MARKS.filter((mark) => rarityOf(mark) <= rarest + 1e-9).map(
    (mark) => markup`<path d="M${roundPixels(x(mark))} ${MARGIN_TOP}V${bottom}" stroke="${GRID_COLOR}"/>`,
  );
  const labels = chooseLabelledMarks(
    rarest,
    right - MARGIN_LEFT,
    (mark) => formatPercentile(mark).length * CHARACTER_WIDTH + LABEL_GAP,
  ).map(
    (mark) =>
      markup`<text x="${roundPixels(x(mark))}" y="${bottom + 15}" text-anchor="middle" fill="${QUIET_INK_COLOR}">${formatPercentile(mark)}</text>`,
  );
  const drawn = lines.map(({ kind, points }) => {
    const { color, dash } = LINE_LOOKS[kind];
    const path = linePath(points.map(({ percentile, ms }) => ({ x: x(percentile), y: y(ms) })));
    return markup`<path d="${path}" stroke="${paperColor(color)}"${dashAttribute(dash)} stroke-width="2" fill="none"/>`;
  });
  const key =
    lines.length < 2
      ? NO_MARKUP
      : markup`<ul class="key">${lines.map(({ kind, name }) => {
          const { color, dash } = LINE_LOOKS[kind];
          return markup`<li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12"><path d="M0 6H18" stroke="${paperColor(color)}"${dashAttribute(dash)} stroke-width="2"/></svg> ${name}</li>`;
        })}</ul>`;
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${about}</span></figcaption>${key}<svg role="img" aria-label="${`${title}. ${summary}`}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" font-size="11">${levels}${marks}${labels}<path d="M${MARGIN_LEFT} ${bottom}H${right}" stroke="${QUIET_INK_COLOR}"/>${drawn}</svg></figure>`;
}

function dashAttribute(dash: string): Markup {
  return dash === '' ? NO_MARKUP : markup` stroke-dasharray="${dash}"`;
}

const ROW_HEIGHT = 10;
const MAX_TICKS = 9;
/** Number of shades of grey that can be distinguished on paper. */
const SHADE_COUNT = 6;
const MIN_OPACITY = 0.12;

/**
 * Renders a heat map of response times: a darker field means a larger share of the moment's responses. It uses a single ink, so that copies
 * in black and white are legible.
 */
export function heatmapFigure({ title, about, columns, edgesMs, summary }: BlockOf<'heatmap'>): Markup {
  const rows = Math.max(edgesMs.length - 1, 0);
  const last = columns.at(-1);
  const end = last === undefined ? 1 : last.second + last.width;
  const right = CHART_WIDTH - MARGIN_RIGHT;
  const bottom = MARGIN_TOP + rows * ROW_HEIGHT;
  const height = bottom + AXIS_HEIGHT;
  const x = (second: number): number => MARGIN_LEFT + (second / end) * (right - MARGIN_LEFT);
  // The map has one path per shade instead of thousands of rectangles.
  const shades = Array.from({ length: SHADE_COUNT }, () => '');
  for (const { second, width, counts } of columns) {
    const fullest = Math.max(...counts);
    for (const [row, count] of counts.entries()) {
      if (count === 0) continue;
      const shade = Math.min(SHADE_COUNT - 1, Math.floor((Math.log1p(count) / Math.log1p(fullest)) * SHADE_COUNT));
      const from = roundPixels(x(second));
      const wide = roundPixels(Math.max(1, x(second + width) - x(second)));
      shades[shade] += `M${from} ${bottom - (row + 1) * ROW_HEIGHT}h${wide}v${ROW_HEIGHT}h${-wide}z`;
    }
  }
  const fields = shades.map((path, shade) =>
    path === ''
      ? NO_MARKUP
      : markup`<path d="${path}" fill="${INK_COLOR}" fill-opacity="${Math.round(100 * (MIN_OPACITY + ((1 - MIN_OPACITY) * shade) / (SHADE_COUNT - 1))) / 100}"/>`,
  );
  const levels = roundLevels(edgesMs).map(
    ({ ms, row }) =>
      markup`<text x="${MARGIN_LEFT - 6}" y="${roundPixels(bottom - row * ROW_HEIGHT + 3.5)}" text-anchor="end" fill="${QUIET_INK_COLOR}">${formatTick(ms, 'ms')}</text>`,
  );
  const ticks = timeTicks(0, end, MAX_TICKS).map(
    (tick) =>
      markup`<path d="M${roundPixels(x(tick))} ${bottom}v4" stroke="${QUIET_INK_COLOR}"/><text x="${roundPixels(x(tick))}" y="${bottom + 15}" text-anchor="middle" fill="${QUIET_INK_COLOR}">${formatElapsed(tick)}</text>`,
  );
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${about}</span></figcaption><svg role="img" aria-label="${`${title}. ${summary}`}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" font-size="11">${fields}${levels}<path d="M${MARGIN_LEFT} ${bottom}H${right}" stroke="${QUIET_INK_COLOR}"/>${ticks}</svg></figure>`;
}

const LEVELS_HEIGHT = 178;
const LEVELS_RIGHT = CHART_WIDTH - 24;
const LEVELS_BOTTOM = LEVELS_HEIGHT - 38;
const VALUE_TICKS = 5;
const LEVEL_LABEL_GAP = 10;
const FAILED_COLOR = '#a3201d';
const INCONCLUSIVE_COLOR = '#8a5a00';

type XOfIndex = (index: number) => number;

/** Renders values over levels as the app does: failed levels have a cross, and inconclusive ones a ring. */
export function levelsFigure({ chart }: BlockOf<'levels'>): Markup {
  const { title, about, unit, axisName, lines, categories } = chart;
  const axis = levelAxis(chart);
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.flatMap((value) => value?.most ?? [])));
  const scale = linearAxis(highest, VALUE_TICKS, unit === 'count');
  const inset = chart.numbers === null ? 24 : 0;
  const x = (share: number): number => roundPixels(MARGIN_LEFT + inset + share * (LEVELS_RIGHT - MARGIN_LEFT - 2 * inset));
  const y = (value: number): number => roundPixels(LEVELS_BOTTOM - (value / scale.to) * (LEVELS_BOTTOM - MARGIN_TOP));
  const grid = scale.ticks.map(
    (tick) =>
      markup`<path d="M${MARGIN_LEFT} ${y(tick)}H${LEVELS_RIGHT}" stroke="${GRID_COLOR}"/><text x="${MARGIN_LEFT - 6}" y="${y(tick) + 3.5}" text-anchor="end" fill="${QUIET_INK_COLOR}">${formatTick(tick, unit)}</text>`,
  );
  const marks = thinOutTicks(axis.ticks, LEVELS_RIGHT - MARGIN_LEFT - 2 * inset, LETTER_WIDTH, LEVEL_LABEL_GAP).map(
    ({ label, share }) =>
      markup`<path d="M${x(share)} ${LEVELS_BOTTOM}v4" stroke="${QUIET_INK_COLOR}"/><text x="${x(share)}" y="${LEVELS_BOTTOM + 16}" text-anchor="middle" fill="${QUIET_INK_COLOR}">${label}</text>`,
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
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${heading}</span></figcaption>${key(lines)}<svg role="img" aria-label="${`${title}. ${stated}`}" viewBox="0 0 ${CHART_WIDTH} ${LEVELS_HEIGHT}" width="${CHART_WIDTH}" height="${LEVELS_HEIGHT}" font-size="11">${grid}${marks}<path d="M${MARGIN_LEFT} ${LEVELS_BOTTOM}H${LEVELS_RIGHT}" stroke="${QUIET_INK_COLOR}"/><text x="${(MARGIN_LEFT + LEVELS_RIGHT) / 2}" y="${LEVELS_HEIGHT - 4}" text-anchor="middle" fill="${INK_COLOR}">${named}</text>${drawn}</svg></figure>`;
}

function lineMarkup({ look, values }: LevelLine, x: XOfIndex, y: (value: number) => number): Markup {
  const color = paperColor(look.color);
  const dash = look.dash === '' ? NO_MARKUP : markup` stroke-dasharray="${look.dash}"`;
  const path = values
    .flatMap((value, index) =>
      value === null ? [] : [`${index > 0 && values[index - 1] !== null ? 'L' : 'M'}${x(index)} ${y(value.median)}`],
    )
    .join('');
  const points = values.map((value, index) => {
    if (value === null) return NO_MARKUP;
    const [at, middle] = [x(index), y(value.median)];
    const bar = value.least < value.most ? markup`<path d="M${at} ${y(value.least)}V${y(value.most)}" stroke="${color}"/>` : NO_MARKUP;
    return markup`${bar}${pointMarkup(at, middle, value.outcome, color)}`;
  });
  return markup`<path d="${path}" stroke="${color}"${dash} stroke-width="2" fill="none"/>${points}`;
}

function pointMarkup(x: number, y: number, outcome: 'failed' | 'inconclusive' | undefined, color: string): Markup {
  if (outcome === 'failed')
    return markup`<path d="M${x - 4} ${y - 4}l8 8M${x + 4} ${y - 4}l-8 8" stroke="${FAILED_COLOR}" stroke-width="2.4"/>`;
  if (outcome === 'inconclusive')
    return markup`<circle cx="${x}" cy="${y}" r="4" fill="#fff" stroke="${INCONCLUSIVE_COLOR}" stroke-width="2"/>`;
  return markup`<circle cx="${x}" cy="${y}" r="3.2" fill="${color}"/>`;
}

/** Renders the names of several lines, and the meaning of marked points. */
function key(lines: readonly LevelLine[]): Markup {
  const named = lines.length < 2 ? [] : lines;
  const outcomes = listOutcomes(lines);
  if (named.length === 0 && outcomes.length === 0) return NO_MARKUP;
  const swatch = (drawn: Markup, name: string): Markup =>
    markup`<li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12">${drawn}</svg> ${name}</li>`;
  const ofLines = named.map(({ name, look }) =>
    swatch(
      markup`<path d="M0 6H18" stroke="${paperColor(look.color)}"${look.dash === '' ? NO_MARKUP : markup` stroke-dasharray="${look.dash}"`} stroke-width="2"/>`,
      name,
    ),
  );
  return markup`<ul class="key">${ofLines}${outcomes.map((outcome) => swatch(pointMarkup(9, 6, outcome, INK_COLOR), chartNames.levels.outcomes[outcome]))}</ul>`;
}
