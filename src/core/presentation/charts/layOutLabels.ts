/**
 * Returns label positions near the `wanted` heights (in pixels, downwards), in order, at least `gap` apart, and between `top` and `bottom`.
 * If there are too many labels, the gap shrinks.
 */
export function layOutLabels(wanted: readonly number[], gap: number, top: number, bottom: number): number[] {
  const room = wanted.length > 1 ? Math.min(gap, (bottom - top) / (wanted.length - 1)) : gap;
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  const placed = [...wanted];
  let least = top;
  for (const index of order) {
    placed[index] = Math.max(wanted[index] ?? top, least);
    least = (placed[index] ?? top) + room;
  }
  let most = bottom;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? bottom, most);
    most = (placed[index] ?? bottom) - room;
  }
  return placed;
}

/** Returns the line of each label (0 is the first), so that no label overlaps an earlier one. */
export function labelLines(labels: readonly { readonly from: number; readonly width: number }[]): number[] {
  const ends: number[] = [];
  const lines = labels.map(() => 0);
  const order = labels.map((label, index) => ({ ...label, index })).sort((a, b) => a.from - b.from);
  for (const { from, width, index } of order) {
    const free = ends.findIndex((end) => end <= from);
    const line = free === -1 ? ends.length : free;
    ends[line] = from + width;
    lines[index] = line;
  }
  return lines;
}

/** Returns the positions of legend entries, in rows with a gap between entries. */
export function keyPositions(widths: readonly number[], gap: number, room: number): { readonly x: number; readonly row: number }[] {
  let x = 0;
  let row = 0;
  return widths.map((width) => {
    if (x > 0 && x + width > room) {
      x = 0;
      row += 1;
    }
    const place = { x, row };
    x += width + gap;
    return place;
  });
}

/** Width of the number of a finding, including its margin. */
const MARK_WIDTH = 24;

/**
 * Returns the end of a line at which its label covers fewer marks; the right end if both cover the same number. A mark extends to the right
 * of its position.
 */
export function chooseFreeEnd(marks: readonly number[], width: number, [left, right]: readonly [number, number]): 'start' | 'end' {
  const atStart = marks.filter((mark) => mark < left + width).length;
  const atEnd = marks.filter((mark) => mark + MARK_WIDTH > right - width).length;
  return atStart < atEnd ? 'start' : 'end';
}
