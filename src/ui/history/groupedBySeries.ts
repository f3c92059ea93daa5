import type { RunRow } from '#contract/replies.ts';

interface RunGroup {
  /** null for a run of its own. */
  readonly series: { readonly id: string; readonly name: string } | null;
  readonly members: readonly RunRow[];
}

/** Runs as they are listed, with those of one series that follow each other taken together. */
export function groupedBySeries(runs: readonly RunRow[]): RunGroup[] {
  const groups: { series: RunGroup['series']; members: RunRow[] }[] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (run.series !== undefined && last?.series?.id === run.series.id) last.members.push(run);
    else groups.push({ series: run.series ?? null, members: [run] });
  }
  return groups;
}
