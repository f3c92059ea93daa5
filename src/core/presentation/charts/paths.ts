/** A position in a picture, in pixels; null if unknown. */
export type PlotPoint = { readonly x: number; readonly y: number } | null;

/** A part of an area between two x positions and two heights; null if unknown. */
export type Piece = { readonly from: number; readonly to: number; readonly low: number; readonly high: number } | null;

/** Returns a line through points, interrupted at unknown ones. A single point makes no line: see {@link shortRunDots}. */
export function linePath(places: readonly PlotPoint[]): string {
  return splitAtGaps(places)
    .filter(({ length }) => length > 1)
    .map((stretch) => stretch.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join(''))
    .join('');
}

/** Maximum number of points of a line that may be shorter than its dashes. */
const MAX_DOTTED_POINTS = 3;

/** Returns dots for points with few neighbours, whose line would hardly be visible. */
export function shortRunDots(places: readonly PlotPoint[]): string {
  return dotsPath(
    splitAtGaps(places)
      .filter(({ length }) => length <= MAX_DOTTED_POINTS)
      .flat(),
  );
}

/** Returns a dot for each point. */
export function dotsPath(places: readonly PlotPoint[]): string {
  return places.map((place) => (place ? `M${round(place.x)} ${round(place.y)}h0` : '')).join('');
}

/** Returns the area between two lines, interrupted at unknown points. */
export function bandPath(lower: readonly PlotPoint[], upper: readonly PlotPoint[]): string {
  const pairs = lower.map((low, index) => {
    const high = upper[index] ?? null;
    return low && high ? { low, high } : null;
  });
  return splitAtGaps(pairs)
    .map((stretch) => {
      const corners = [...stretch.map(({ high }) => high), ...stretch.toReversed().map(({ low }) => low)];
      return `M${corners.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}Z`;
    })
    .join('');
}

/** Returns an area of steps; slopes would hide a single bad second. */
export function stepAreaPath(pieces: readonly Piece[]): string {
  const tall = pieces.map((piece) => (piece && piece.low !== piece.high ? piece : null));
  return splitAtGaps(tall)
    .map((stretch) => {
      const top = stretch.map(({ from, to, high }) => `${round(from)} ${round(high)}L${round(to)} ${round(high)}`);
      const bottom = stretch.toReversed().map(({ from, to, low }) => `${round(to)} ${round(low)}L${round(from)} ${round(low)}`);
      return `M${[...top, ...bottom].join('L')}Z`;
    })
    .join('');
}

/** Splits values at nulls. */
function splitAtGaps<T>(values: readonly (T | null)[]): T[][] {
  const found: T[][] = [];
  let current: T[] | null = null;
  for (const value of values) {
    if (value === null) current = null;
    else if (current) current.push(value);
    else {
      current = [value];
      found.push(current);
    }
  }
  return found;
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10;
