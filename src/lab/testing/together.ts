/** Times of answers to requests that came together, in the groups in which a pool of so many workers gave them: medians by group. */
export function groupMedians(times: readonly number[], workers: number): number[] {
  const sorted = [...times].sort((left, right) => left - right);
  const medians: number[] = [];
  for (let at = 0; at < sorted.length; at += workers) {
    const group = sorted.slice(at, at + workers);
    medians.push(group[Math.floor(group.length / 2)] ?? 0);
  }
  return medians;
}
