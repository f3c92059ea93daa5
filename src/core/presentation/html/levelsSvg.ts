import { type LevelLine, levelAxis, listOutcomes, spacedTicks } from '../charts/levels.ts';
import { chartNames } from '../charts/names.ts';
import { formatTick, formatValue } from '../charts/units.ts';
import { linearAxis } from '../charts/valueAxis.ts';
import type { BlockOf } from '../document/model.ts';
import { CHART_WIDTH, LETTER_WIDTH, px } from './background.ts';
import { GRID, INK, markup, type Markup, NOTHING, paperColor, QUIET_INK } from './markup.ts';

const HEIGHT = 178;
const LEFT = 58;
const RIGHT = CHART_WIDTH - 24;
const TOP = 8;
const BOTTOM = HEIGHT - 38;
const VALUE_TICKS = 5;
const LABEL_GAP = 10;
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
  const x = (share: number): number => px(LEFT + inset + share * (RIGHT - LEFT - 2 * inset));
  const y = (value: number): number => px(BOTTOM - (value / scale.to) * (BOTTOM - TOP));
  const grid = scale.ticks.map(
    (tick) =>
      markup`<path d="M${LEFT} ${y(tick)}H${RIGHT}" stroke="${GRID}"/><text x="${LEFT - 6}" y="${y(tick) + 3.5}" text-anchor="end" fill="${QUIET_INK}">${formatTick(tick, unit)}</text>`,
  );
  const marks = spacedTicks(axis.ticks, RIGHT - LEFT - 2 * inset, LETTER_WIDTH, LABEL_GAP).map(
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
  return markup`<figure class="large"><figcaption><strong>${title}</strong> <span>${heading}</span></figcaption>${key(lines)}<svg role="img" aria-label="${`${title}. ${stated}`}" viewBox="0 0 ${CHART_WIDTH} ${HEIGHT}" width="${CHART_WIDTH}" height="${HEIGHT}" font-size="11">${grid}${marks}<path d="M${LEFT} ${BOTTOM}H${RIGHT}" stroke="${QUIET_INK}"/><text x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 4}" text-anchor="middle" fill="${INK}">${named}</text>${drawn}</svg></figure>`;
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
