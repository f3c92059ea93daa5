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
  const isReached = new Uint8Array(changes);
  let reached: number[] = [];
  let active: number | null = null;
  let steps = 0;
  let mostSteps = Infinity;
  const step = (): void => {
    steps += 1;
    if (steps > mostSteps) throw new Error('The code does not come to an end.');
  };
  return {
    reach: (...here) => {
      step();
      for (const change of here)
        if (isReached[change] === 0) {
          isReached[change] = 1;
          reached.push(change);
        }
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
      for (const one of reached) isReached[one] = 0;
      reached = [];
    },
    counted: () => ({ steps, reached }),
  };
}
