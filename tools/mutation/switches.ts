/** Function that the code calls at a change, with the numbers of the changes there. */
export const REACH_FUNCTION = '__reach';
/** Function that returns whether a change is active. */
export const ACTIVE_FUNCTION = '__isActive';

export interface Switches {
  readonly reach: (...changes: number[]) => void;
  readonly isActive: (change: number) => boolean;
  /** Starts counting with this change active, or none; the code fails after this many steps. */
  readonly begin: (change: number | null, maxSteps: number) => void;
  /** Returns the number of steps since then, and the reached changes. */
  readonly counted: () => { readonly steps: number; readonly reached: readonly number[] };
}

/** Called millions of times per second, so it uses plain variables and numbers only. */
export function newSwitches(changes: number): Switches {
  const isReached = new Uint8Array(changes);
  let reached: number[] = [];
  let active: number | null = null;
  let steps = 0;
  let maxSteps = Infinity;
  const step = (): void => {
    steps += 1;
    if (steps > maxSteps) throw new Error('The code does not come to an end.');
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
      maxSteps = most;
      for (const one of reached) isReached[one] = 0;
      reached = [];
    },
    counted: () => ({ steps, reached }),
  };
}
