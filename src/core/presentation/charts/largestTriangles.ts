/**
 * Largest-Triangle-Three-Buckets: the indexes of at most `count` of the points that keep the look of the line, peaks above all. First
 * and last are always kept. Source: S. Steinarsson, "Downsampling Time Series for Visual Representation" (2013), section 4.2.
 */
export function largestTriangles(xs: readonly number[], ys: readonly number[], count: number): number[] {
  const length = Math.min(xs.length, ys.length);
  if (length <= count || length <= 2) return Array.from({ length }, (_, index) => index);
  if (count < 2) return [0];
  if (count === 2) return [0, length - 1];
  const kept = [0];
  const buckets = count - 2;
  const edge = (bucket: number): number => 1 + Math.floor((bucket * (length - 2)) / buckets);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = edge(bucket);
    const end = edge(bucket + 1);
    const nextEnd = Math.min(length, bucket + 2 > buckets ? length : edge(bucket + 2));
    const next = meanOf(xs, ys, end, Math.max(nextEnd, end + 1));
    const previous = kept.at(-1) ?? 0;
    kept.push(farthest(xs, ys, previous, next, start, end));
  }
  kept.push(length - 1);
  return kept;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function meanOf(xs: readonly number[], ys: readonly number[], start: number, end: number): Place {
  let x = 0;
  let y = 0;
  const stop = Math.min(end, xs.length);
  for (let index = start; index < stop; index++) {
    x += xs[index] ?? 0;
    y += ys[index] ?? 0;
  }
  return { x: x / (stop - start), y: y / (stop - start) };
}

/** The index in [start, end) whose triangle with the point kept before and the mean of the next bucket is largest. */
function farthest(xs: readonly number[], ys: readonly number[], previous: number, next: Place, start: number, end: number): number {
  const x0 = xs[previous] ?? 0;
  const y0 = ys[previous] ?? 0;
  let best = start;
  let largest = -1;
  for (let index = start; index < end; index++) {
    const area = Math.abs((x0 - next.x) * ((ys[index] ?? 0) - y0) - (x0 - (xs[index] ?? 0)) * (next.y - y0));
    if (area > largest) {
      largest = area;
      best = index;
    }
  }
  return best;
}
