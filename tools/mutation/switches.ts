/** What the code calls where a change begins, with the numbers of the changes that stand there. */
export const REACH = '__reach';
/** What the code asks: whether this change is in place. */
export const IS_ACTIVE = '__isActive';

export interface Switches {
  readonly reach: (...changes: number[]) => void;
  readonly isActive: (change: number) => boolean;
  /** Starts to count, with this change in place, or with none; the code fails after so many steps. */
  readonly begin: (change: number | null, mostSteps: number) => void;
  /** How many steps the code took since, and which changes it reached. */
  readonly counted: () => { readonly steps: number; readonly reached: readonly number[] };
}

/** Called millions of times in a second: plain variables and numbers, nothing else. */
export function newSwitches(changes: number): Switches {
  const seen = new Uint8Array(changes);
  let active: number | null = null;
  let steps = 0;
  let mostSteps = Infinity;
  const step = (): void => {
    steps += 1;
    if (steps > mostSteps) throw new Error('The code does not come to an end.');
  };
  return {
    reach: (...reached) => {
      step();
      for (const change of reached) seen[change] = 1;
    },
    isActive: (change) => {
      if (change !== active) return false;
      step();
      return true;
    },
    begin: (change, most) => {
      active = change;
      steps = 0;
      mostSteps = most;
      seen.fill(0);
    },
    counted: () => ({ steps, reached: Array.from(seen.keys()).filter((change) => seen[change] === 1) }),
  };
}
