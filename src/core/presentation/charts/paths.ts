/** A place in a picture, in pixels; null where nothing is known. */
export type Place = { readonly x: number; readonly y: number } | null;

/** A piece of an area: from x to x, between two heights; null where nothing is known. */
export type Piece = { readonly from: number; readonly to: number; readonly low: number; readonly high: number } | null;

/** A line through places, interrupted where nothing is known. One that stands alone has none: see {@link fewPath}. */
export function linePath(places: readonly Place[]): string {
  return stretches(places)
    .filter(({ length }) => length > 1)
    .map((stretch) => stretch.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join(''))
    .join('');
}

/** So few places in a row make a line that may be shorter than its own dashes. */
const FEW = 3;

/** The places that have few neighbours, or none, as dots: a line alone would hardly show them. */
export function fewPath(places: readonly Place[]): string {
  return dotsPath(
    stretches(places)
      .filter(({ length }) => length <= FEW)
      .flat(),
  );
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
