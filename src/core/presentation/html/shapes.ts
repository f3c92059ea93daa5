import { getOwn } from '#core/base/ownMembers.ts';
import type { DrawnRow } from '../charts/drawnRows.ts';
import { bandPath, dotsPath, shortRunDots, linePath, type Piece, type PlotPoint, stepAreaPath } from '../charts/paths.ts';
import type { ChartSeries } from '../charts/types.ts';
import type { ReportChart } from '../document/model.ts';
import { type ChartLayout, roundPixels } from './background.ts';
import { markup, type Markup, NO_MARKUP, paperColor } from './markup.ts';

/** Hatches by position, which distinguish the layers of a stack without colour. */
export const HATCHES = ['none', 'rising', 'level', 'falling', 'upright', 'crossed'] as const;
export type Hatch = (typeof HATCHES)[number];

export function hatchOf(series: readonly ChartSeries[], one: ChartSeries): Hatch {
  const layers = series.filter(({ shape }) => shape === 'stacked');
  return HATCHES[layers.indexOf(one) % HATCHES.length] ?? 'none';
}

const HATCH_SPACING = 6;

/** Returns the lines of a hatch over a box. They are lines rather than a pattern, because a PDF would store a pattern as an image. */
export function hatchPath(hatch: Hatch, left: number, top: number, right: number, bottom: number): string {
  const height = bottom - top;
  const steps = (from: number, to: number): number[] =>
    Array.from({ length: Math.ceil((to - from) / HATCH_SPACING) }, (_, index) => from + index * HATCH_SPACING);
  const rising = (): string =>
    steps(left - height, right)
      .map((x) => `M${roundPixels(x)} ${bottom}l${roundPixels(height)} ${roundPixels(-height)}`)
      .join('');
  const falling = (): string =>
    steps(left - height, right)
      .map((x) => `M${roundPixels(x)} ${top}l${roundPixels(height)} ${roundPixels(height)}`)
      .join('');
  switch (hatch) {
    case 'none':
      return '';
    case 'rising':
      return rising();
    case 'falling':
      return falling();
    case 'level':
      return steps(top, bottom)
        .map((y) => `M${left} ${roundPixels(y)}H${right}`)
        .join('');
    case 'upright':
      return steps(left, right)
        .map((x) => `M${roundPixels(x)} ${top}V${bottom}`)
        .join('');
    case 'crossed':
      return `${rising()}${falling()}`;
    default:
      return hatch satisfies never;
  }
}

/** Draws one path for each series, and the areas between some of them. `id` is unique in the document. */
export function shapes({ data, bands }: ReportChart, rows: readonly DrawnRow[], layout: ChartLayout, id: string): Markup {
  const { plot, axis, x, y, logarithmic } = layout;
  const heightOf = (value: number): number => y(logarithmic ? Math.max(value, axis.from) : value);
  const placesOf = (key: string): PlotPoint[] =>
    rows.map(({ x: second, values }) => {
      const value = getOwn(values, key);
      return typeof value === 'number' && !(logarithmic && value <= 0) ? { x: x(second), y: heightOf(value) } : null;
    });
  const listPieces = (key: string): Piece[] =>
    rows.map((row) => {
      const edges = getOwn(row.values, key) ?? null;
      return edges === null || typeof edges === 'number' ? null : { from: x(row.from), to: x(row.to), low: y(edges[0]), high: y(edges[1]) };
    });
  const areas = bands.map(({ from, to, opacity }) => {
    const color = paperColor(data.series.find((one) => one.id === to)?.look.color ?? '');
    return markup`<path d="${bandPath(placesOf(from), placesOf(to))}" fill="${color}" fill-opacity="${opacity}"/>`;
  });
  const lines = data.series.map((one, index) => {
    const color = paperColor(one.look.color);
    switch (one.shape) {
      case 'stacked':
        return layer(stepAreaPath(listPieces(one.id)), color, hatchOf(data.series, one), `${id}-${index}`, plot);
      case 'dots':
        return markup`<path d="${dotsPath(placesOf(one.id))}" stroke="${color}" stroke-width="${one.isLarge === true ? 4.8 : 2.4}" stroke-linecap="round"/>`;
      case 'line': {
        const dash = one.look.dash === '' ? NO_MARKUP : markup` stroke-dasharray="${one.look.dash}"`;
        const dots = shortRunDots(placesOf(one.id));
        const few = dots === '' ? NO_MARKUP : markup`<path d="${dots}" stroke="${color}" stroke-width="4.8" stroke-linecap="round"/>`;
        return markup`<path d="${linePath(placesOf(one.id))}" stroke="${color}" stroke-width="1.6"${dash}/>${few}`;
      }
      default:
        return one.shape satisfies never;
    }
  });
  return markup`<g fill="none" stroke-linejoin="round">${areas}${lines}</g>`;
}

function layer(area: string, color: string, hatch: Hatch, id: string, plot: ChartLayout['plot']): Markup {
  if (area === '') return NO_MARKUP;
  const solid = hatch === 'none';
  const filled = markup`<path d="${area}" fill="${color}" fill-opacity="${solid ? 0.35 : 0.15}" stroke="${color}"/>`;
  if (solid) return filled;
  return markup`<clipPath id="${id}"><path d="${area}"/></clipPath>${filled}<path clip-path="url(#${id})" d="${hatchPath(hatch, plot.left, plot.top, plot.right, plot.bottom)}" stroke="${color}"/>`;
}

const SWATCH_SIZE = 16;

/** Draws a sample of a series. */
export function swatch(series: readonly ChartSeries[], one: ChartSeries, left: number, middle: number): Markup {
  const color = paperColor(one.look.color);
  switch (one.shape) {
    case 'stacked': {
      const hatch = hatchOf(series, one);
      const lines = hatch === 'none' ? '' : swatchHatch(hatch, left, middle);
      return markup`<rect x="${left}" y="${middle - 5}" width="${SWATCH_SIZE}" height="10" fill="${color}" fill-opacity="${hatch === 'none' ? 0.35 : 0.15}" stroke="${color}"/><path d="${lines}" stroke="${color}" fill="none"/>`;
    }
    case 'dots':
      return markup`<path d="M${left + 2} ${middle}h0M${left + 8} ${middle}h0M${left + 14} ${middle}h0" stroke="${color}" stroke-width="3.2" stroke-linecap="round"/>`;
    case 'line': {
      const dash = one.look.dash === '' ? NO_MARKUP : markup` stroke-dasharray="${one.look.dash}"`;
      return markup`<path d="M${left} ${middle}h${SWATCH_SIZE}" stroke="${color}" stroke-width="1.8"${dash}/>`;
    }
    default:
      return one.shape satisfies never;
  }
}

/** Returns the hatch of a swatch without a clip path. */
function swatchHatch(hatch: Exclude<Hatch, 'none'>, left: number, middle: number): string {
  const [top, bottom] = [middle - 5, middle + 5];
  switch (hatch) {
    case 'rising':
      return `M${left} ${bottom}l10 -10M${left + 6} ${bottom}l10 -10`;
    case 'falling':
      return `M${left} ${top}l10 10M${left + 6} ${top}l10 10`;
    case 'level':
      return `M${left} ${middle - 2}h${SWATCH_SIZE}M${left} ${middle + 2}h${SWATCH_SIZE}`;
    case 'upright':
      return `M${left + 5} ${top}v10M${left + 11} ${top}v10`;
    case 'crossed':
      return `M${left} ${bottom}l10 -10M${left + 6} ${bottom}l10 -10M${left} ${top}l10 10M${left + 6} ${top}l10 10`;
    default:
      return hatch satisfies never;
  }
}
