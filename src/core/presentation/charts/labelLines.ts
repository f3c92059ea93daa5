/** On which line each label stands (0 is the first), so that none runs into one that began before it. */
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
