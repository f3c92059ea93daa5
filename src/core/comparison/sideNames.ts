/** A side as it was asked for. */
interface NamedRuns {
  /** Left out, the runs say it. */
  readonly name?: string | undefined;
  readonly runs: readonly { readonly name: string }[];
}

/** A name for each side that tells it from the others: its own, or that of its runs; alike ones get a letter. */
export function sideNames(sides: readonly NamedRuns[]): string[] {
  const names = sides.map(({ name, runs }) => {
    if (name !== undefined) return name;
    const [only, ...others] = new Set(runs.map((run) => run.name));
    return others.length === 0 && only !== undefined ? only : `${runs.length} runs`;
  });
  return names.map((name, index) => (names.filter((other) => other === name).length > 1 ? `${sideLetter(index)}: ${name}` : name));
}

/** A, B, C … */
export function sideLetter(index: number): string {
  return String.fromCodePoint(65 + index);
}
