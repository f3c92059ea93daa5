import { getOwn } from '#core/base/ownMembers.ts';
import { evidenceLines, findingParts } from '../document/words.ts';
import type { Bar, Block, BlockOf, Cell, ReportChart } from '../document/model.ts';
import { type DrawnRow, buildDrawnRows } from '../charts/drawnRows.ts';
import { layOutLabels } from '../charts/layOutLabels.ts';
import { chartNames, chartSummary } from '../charts/names.ts';
import { escapeHtml, INK_COLOR, LINE_COLOR, markup, Markup, NO_MARKUP, QUIET_INK_COLOR, SERIES_COLORS } from './markup.ts';
import { heatmapFigure, levelsFigure, percentilesFigure } from './plots.ts';
import { background, CHART_WIDTH, type ChartLayout, foreground, layOutChart, LETTER_WIDTH, roundPixels } from './background.ts';
import { shapes, swatch } from './shapes.ts';
import type { Verdict } from '#core/result/verdict.ts';
import { capitalize } from '#core/base/text.ts';
import { formatAfterHeadline } from '#core/judgement/verdict/labels.ts';

/** Maximum number of drawn points. More could not be distinguished on paper. */
const MAX_POINTS = 360;
const LABEL_GAP = 14;

/** Renders a chart with its title and the names of its lines. `id` is unique in the document. */
function chartFigure(chart: ReportChart, size: 'large' | 'small', id: string): Markup {
  const { title, about, unit, data, frame } = chart;
  const layout = layOutChart(chart, size);
  const { plot, logarithmic, hasEndLabels } = layout;
  const rows = buildDrawnRows(data, MAX_POINTS);
  const scale = logarithmic ? ', logarithmic' : '';
  const overloaded = frame.overloaded.length > 0 ? ` · black marks: ${chartNames.overloaded}` : '';
  const svg = markup`<svg role="img" aria-label="${`${title}. ${chartSummary(data, unit)}`}" viewBox="0 0 ${plot.width} ${plot.height}" width="${plot.width}" height="${plot.height}" font-size="11">${background(chart, layout)}${shapes(chart, rows, layout, id)}${foreground(chart, layout)}${hasEndLabels ? endLabels(chart, rows, layout) : NO_MARKUP}</svg>`;
  return markup`<figure class="${size}"><figcaption><strong>${title}</strong> <span>${about}${scale}${overloaded}</span></figcaption>${hasEndLabels ? NO_MARKUP : key(chart)}${svg}</figure>`;
}

/** Renders names at the ends of their lines, moved apart where lines meet. */
function endLabels({ data: { series } }: ReportChart, rows: readonly DrawnRow[], { plot, y }: ChartLayout): Markup[] {
  const wanted = series.map(({ id }) => {
    const last = findLastValue(rows, id);
    return last === null ? plot.bottom : y(last);
  });
  const places = layOutLabels(wanted, LABEL_GAP, plot.top + 4, plot.bottom - 4);
  return series.map((one, index) => {
    const at = roundPixels(places[index] ?? plot.top);
    return markup`${swatch(series, one, plot.right + 6, at)}<text x="${plot.right + 27}" y="${at + 3.5}" fill="${INK_COLOR}">${one.label}</text>`;
  });
}

/** Returns the last value of a line, or the middle of a layer at that position. */
function findLastValue(rows: readonly DrawnRow[], id: string): number | null {
  const value = getOwn(rows.findLast(({ values }) => (getOwn(values, id) ?? null) !== null)?.values, id) ?? null;
  return value === null || typeof value === 'number' ? value : (value[0] + value[1]) / 2;
}

/** Renders the names of lines in a row above the chart, if they do not fit beside it. */
function key({ data: { series } }: ReportChart): Markup {
  const items = series.map(
    (one) =>
      markup`<li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12">${swatch(series, one, 1, 6)}</svg> ${one.name}</li>`,
  );
  return markup`<ul class="key">${items}</ul>`;
}

const BAR_ROW_HEIGHT = 22;
const BAR_HEIGHT = 12;
const MAX_NAME_LENGTH = 30;
/**
 * Maximum number of lines of code in one column. Longer code is printed in two columns, because most lines are short. Half as many lines
 * stay together at a page break (style.ts).
 */
const MAX_ONE_COLUMN_LINES = 16;
const COLUMNS_CLASS = markup` class="columns"`;
const TEXT_WIDTH = 190;

/** Renders a bar for each name, with a thin line from the minimum to the maximum. */
function barsFigure({ title, bars }: BlockOf<'bars'>): Markup {
  const nameWidth = Math.min(MAX_NAME_LENGTH, Math.max(...bars.map(({ name }) => name.length))) * LETTER_WIDTH + 12;
  const right = CHART_WIDTH - TEXT_WIDTH;
  const highest = Math.max(...bars.map(({ value }) => value?.most ?? 0), 0) || 1;
  const x = (value: number): number => roundPixels(nameWidth + (value / highest) * (right - nameWidth));
  const height = bars.length * BAR_ROW_HEIGHT + 4;
  const label = `${title}. ${bars.map(({ name, text }) => `${name}: ${text}.`).join(' ')}`;
  const rows = bars.map((bar, index) => row(bar, index * BAR_ROW_HEIGHT + 2, nameWidth, x));
  return markup`<figure><figcaption><strong>${title}</strong></figcaption><svg role="img" aria-label="${label}" viewBox="0 0 ${CHART_WIDTH} ${height}" width="${CHART_WIDTH}" height="${height}" font-size="11"><path d="M${roundPixels(nameWidth)} 0V${height}" stroke="${LINE_COLOR}"/>${rows}</svg></figure>`;
}

function row({ name, value, text }: Bar, top: number, nameWidth: number, x: (value: number) => number): Markup {
  const middle = top + BAR_ROW_HEIGHT / 2;
  const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
  const drawn =
    value === null
      ? NO_MARKUP
      : markup`<rect x="${roundPixels(nameWidth)}" y="${middle - BAR_HEIGHT / 2}" width="${roundPixels(x(value.middle) - nameWidth)}" height="${BAR_HEIGHT}" fill="${SERIES_COLORS['completed'] ?? INK_COLOR}" fill-opacity="0.45" stroke="${SERIES_COLORS['completed'] ?? INK_COLOR}"/><path d="M${x(value.least)} ${middle}H${x(value.most)}M${x(value.least)} ${middle - 3}v6M${x(value.most)} ${middle - 3}v6" stroke="${INK_COLOR}" fill="none"/>`;
  const end = value === null ? nameWidth + 6 : x(value.most) + 8;
  return markup`<text x="${roundPixels(nameWidth - 6)}" y="${middle + 4}" text-anchor="end" fill="${INK_COLOR}">${short}</text>${drawn}<text x="${roundPixels(end)}" y="${middle + 4}" fill="${value === null ? QUIET_INK_COLOR : INK_COLOR}">${text}</text>`;
}

/** Renders one block of a report as HTML. `id` is unique in the document. */
export function blockHtml(block: Block, id: string): Markup {
  switch (block.kind) {
    case 'verdict':
      return verdict(block);
    case 'tiles':
      return markup`<ul class="tiles">${block.tiles.map(({ name, value, note }) => markup`<li><span>${name}</span><strong>${value}</strong><span>${note}</span></li>`)}</ul>`;
    case 'heading':
      return markup`<h3>${block.text}</h3>`;
    case 'text':
      return markup`<p>${block.text}</p>`;
    case 'list':
      return markup`<h3>${block.title}</h3><ul>${block.items.map((item) => markup`<li>${item}</li>`)}</ul>`;
    case 'pairs':
      return markup`<h3>${block.title}</h3><dl>${block.pairs.map(([name, text]) => markup`<dt>${name}</dt><dd>${text}</dd>`)}</dl>`;
    case 'table':
      return table(block);
    case 'chart':
      return chartFigure(block.chart, block.size, id);
    case 'levels':
      return levelsFigure(block);
    case 'bars':
      return barsFigure(block);
    case 'percentiles':
      return percentilesFigure(block);
    case 'heatmap':
      return heatmapFigure(block);
    case 'film':
      return film(block);
    case 'finding':
      return finding(block);
    case 'code':
      return markup`<h3>${block.title}</h3><pre${block.text.split('\n').length > MAX_ONE_COLUMN_LINES ? COLUMNS_CLASS : NO_MARKUP}><code>${new Markup(escapeHtml(block.text))}</code></pre>`;
    default:
      return block satisfies never;
  }
}

/** Verdict marks as paths, which need no font. Their shape and the word repeat the meaning of the colour. */
const MARKS: Readonly<Record<Verdict['outcome'], Markup>> = {
  passed: markup`<path d="M7 13.5l4 4 8-9"/>`,
  failed: markup`<path d="M8 8l10 10M18 8L8 18"/>`,
  inconclusive: markup`<path d="M7 13h12"/>`,
  measured: markup`<path d="M8 18v-5M13 18V8M18 18v-7"/>`,
};

function verdict(block: BlockOf<'verdict'>): Markup {
  const { outcome, title, load } = block;
  const detail = capitalize(formatAfterHeadline(block));
  return markup`<div class="verdict ${outcome}"><svg aria-hidden="true" viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2.4"><circle cx="13" cy="13" r="11.5"/>${MARKS[outcome]}</svg><div><p><strong>${title}${load}</strong></p>${detail === '' ? NO_MARKUP : markup`<p>${detail}</p>`}</div></div>`;
}

/** Number of columns from which a table uses a smaller font to fit a page. */
const MIN_WIDE_COLUMNS = 7;

function table({ title, columns, rows, note }: BlockOf<'table'>): Markup {
  const head = columns.map(({ name, numeric }) => markup`<th scope="col"${numeric === true ? NUMBER_CLASS : NO_MARKUP}>${name}</th>`);
  const body = rows.map(
    (row) =>
      markup`<tr>${row.map((cell, index) => {
        const isNumeric = columns[index]?.numeric === true;
        if (index === 0 && !isNumeric) return markup`<th scope="row">${cellHtml(cell)}</th>`;
        return isNumeric ? figureCell(cell) : markup`<td>${cellHtml(cell)}</td>`;
      })}</tr>`,
  );
  const wide = columns.length >= MIN_WIDE_COLUMNS ? markup` class="wide"` : NO_MARKUP;
  const scroll = rows.length < MIN_BREAKABLE_ROWS ? 'scroll short' : 'scroll';
  return markup`<div class="${scroll}"><table${wide}><caption>${title}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${note === undefined ? NO_MARKUP : markup`<p class="note">${note}</p>`}`;
}

const NUMBER_CLASS = markup` class="number"`;
const LONG_NUMBER_CLASS = markup` class="number long"`;
/** Maximum length of a number in characters. Longer text may wrap. */
const MAX_NUMBER_LENGTH = 16;
/** Number of rows from which a table may be split across pages. */
const MIN_BREAKABLE_ROWS = 14;

/** Renders a figure with its spread below. Neither of them wraps. */
function figureCell(cell: Cell): Markup {
  const text = typeof cell === 'string' ? cell : cell.text;
  const about = typeof cell === 'string' ? '' : (cell.about ?? '');
  const isLong = text.length + about.length > MAX_NUMBER_LENGTH;
  return markup`<td${isLong ? LONG_NUMBER_CLASS : NUMBER_CLASS}>${about === '' ? text : keepTogether(text)}${about === '' ? NO_MARKUP : aboutHtml(keepTogether(about))}</td>`;
}

/** Renders a cell with its details below in smaller letters. */
function cellHtml(cell: Cell): Markup {
  if (typeof cell === 'string') return markup`${cell}`;
  const { text, about = '', isPart = false, href } = cell;
  const linkedText = href === undefined ? text : markup`<a href="${href}" rel="noreferrer">${text}</a>`;
  return markup`${isPart ? '· ' : ''}${linkedText}${about === '' ? NO_MARKUP : aboutHtml(about)}`;
}

function aboutHtml(about: string): Markup {
  return markup` <small>${about}</small>`;
}

function keepTogether(text: string): string {
  return text.replaceAll(' ', '\u00A0');
}

/** Maximum number of pictures of a film strip that shares a row with another one. A journey has one strip per step. */
const MAX_SHORT_FILM_PICTURES = 4;
const HALF_CLASS = markup` class="half"`;

/** Renders strips below each other. A longer strip took longer. */
function film({ title, strips }: BlockOf<'film'>): Markup {
  const isShort = strips.every(({ pictures }) => pictures.length <= MAX_SHORT_FILM_PICTURES);
  const rows = strips.map(
    ({ name, pictures }) =>
      markup`<p class="note">${name}</p><ol class="film">${pictures.map(({ at, jpeg }) => markup`<li>${jpeg === null ? markup`<span class="blank"></span>` : markup`<img alt="${`The page after ${at}`}" src="data:image/jpeg;base64,${jpeg}">`}<span>${at}</span></li>`)}</ol>`,
  );
  return markup`<figure${isShort ? HALF_CLASS : NO_MARKUP}><figcaption><strong>${title}</strong></figcaption>${rows}</figure>`;
}

function finding({ number, finding: found }: BlockOf<'finding'>): Markup {
  const { level, sentence, remedy } = found;
  const { title, rest } = findingParts(found);
  return markup`<section class="finding ${level}"><h3>${number}. ${sentence}</h3><p class="note"><span class="level">${title}</span>${rest}</p><ul>${evidenceLines(found).map((line) => markup`<li>${line}</li>`)}</ul><p>${remedy}</p></section>`;
}
