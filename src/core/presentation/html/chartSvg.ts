import { drawnRows, type DrawnRow } from '../charts/drawnRows.ts';
import { placeLabels } from '../charts/placeLabels.ts';
import { chartNames } from '../charts/names.ts';
import { chartSummary } from '../charts/summary.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { ReportChart } from '../document/model.ts';
import { background, foreground, px } from './background.ts';
import { INK } from './colors.ts';
import { layoutOf, type ChartLayout } from './layout.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import { shapes, swatch } from './shapes.ts';

/** More than the eye tells apart on paper. */
const MOST_POINTS = 360;
const LABEL_GAP = 14;

/** A chart with its title and the names of its lines. `id` is unique in the document. */
export function chartFigure(chart: ReportChart, size: 'large' | 'small', id: string): Markup {
  const { title, about, unit, data, frame } = chart;
  const layout = layoutOf(chart, size);
  const { plot, logarithmic, hasEndLabels } = layout;
  const rows = drawnRows(data, MOST_POINTS);
  const scale = logarithmic ? ', logarithmic' : '';
  const sick = frame.sick.length > 0 ? ` · black marks: ${chartNames.sick}` : '';
  const svg = markup`<svg role="img" aria-label="${`${title}. ${chartSummary(data, unit)}`}" viewBox="0 0 ${plot.width} ${plot.height}" width="${plot.width}" height="${plot.height}" font-size="11">${background(chart, layout)}${shapes(chart, rows, layout, id)}${foreground(chart, layout)}${hasEndLabels ? endLabels(chart, rows, layout) : NOTHING}</svg>`;
  return markup`<figure class="${size}"><figcaption><strong>${title}</strong> <span>${about}${scale}${sick}</span></figcaption>${hasEndLabels ? NOTHING : key(chart)}${svg}</figure>`;
}

/** Names beside the ends of their lines, moved apart where lines meet. */
function endLabels({ data: { series } }: ReportChart, rows: readonly DrawnRow[], { plot, y }: ChartLayout): Markup[] {
  const wanted = series.map(({ id }) => {
    const last = lastValue(rows, id);
    return last === null ? plot.bottom : y(last);
  });
  const places = placeLabels(wanted, LABEL_GAP, plot.top + 4, plot.bottom - 4);
  return series.map((one, index) => {
    const at = px(places[index] ?? plot.top);
    return markup`${swatch(series, one, plot.right + 6, at)}<text x="${plot.right + 27}" y="${at + 3.5}" fill="${INK}">${one.label}</text>`;
  });
}

/** The end of a line, or the middle of a layer there. */
function lastValue(rows: readonly DrawnRow[], id: string): number | null {
  const value = getOwn(rows.findLast(({ values }) => (getOwn(values, id) ?? null) !== null)?.values, id) ?? null;
  return value === null || typeof value === 'number' ? value : (value[0] + value[1]) / 2;
}

/** The names of lines in a row above the picture, where they do not fit beside it. */
function key({ data: { series } }: ReportChart): Markup {
  const items = series.map(
    (one) =>
      markup`<li><svg aria-hidden="true" viewBox="0 0 18 12" width="18" height="12">${swatch(series, one, 1, 6)}</svg> ${one.name}</li>`,
  );
  return markup`<ul class="key">${items}</ul>`;
}
