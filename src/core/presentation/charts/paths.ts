/** A place in a picture, in pixels; null where nothing is known. */
export type Place = { readonly x: number; readonly y: number } | null;

/** A piece of an area: from x to x, between two heights; null where nothing is known. */
export type Piece = { readonly from: number; readonly to: number; readonly low: number; readonly high: number } | null;

/** In pixels: lines may be dashed and have flat ends, and a place that stands alone has to be seen all the same. */
const ALONE_WIDTH = 6;

/** A line through places, interrupted where nothing is known. A place that stands alone becomes a short stroke. */
export function linePath(places: readonly Place[]): string {
  return stretches(places)
    .map((stretch) => {
      const [first] = stretch;
      if (stretch.length === 1 && first !== undefined) return `M${round(first.x - ALONE_WIDTH / 2)} ${round(first.y)}h${ALONE_WIDTH}`;
      return stretch.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
    })
    .join('');
}

/** Every place as a dot of its own. */
export function dotsPath(places: readonly Place[]): string {
  return places.map((place) => (place ? `M${round(place.x)} ${round(place.y)}h0` : '')).join('');
}

/** The area between two lines over the same places, interrupted where one of them is not known. */
export function bandPath(lower: readonly Place[], upper: readonly Place[]): string {
  const pairs = lower.map((low, index) => {
    const high = upper[index] ?? null;
    return low && high ? { low, high } : null;
  });
  return stretches(pairs)
    .map((stretch) => {
      const corners = [...stretch.map(({ high }) => high), ...stretch.toReversed().map(({ low }) => low)];
      return `M${corners.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}Z`;
    })
    .join('');
}

/** An area of pieces with level tops, as counts of whole seconds are: a slope between them would hide a single bad second. */
export function stepAreaPath(pieces: readonly Piece[]): string {
  const tall = pieces.map((piece) => (piece && piece.low !== piece.high ? piece : null));
  return stretches(tall)
    .map((stretch) => {
      const top = stretch.map(({ from, to, high }) => `${round(from)} ${round(high)}L${round(to)} ${round(high)}`);
      const bottom = stretch.toReversed().map(({ from, to, low }) => `${round(to)} ${round(low)}L${round(from)} ${round(low)}`);
      return `M${[...top, ...bottom].join('L')}Z`;
    })
    .join('');
}

/** Runs of values without a null between them. */
function stretches<T>(values: readonly (T | null)[]): T[][] {
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
