const STEPS = [60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400];

/** Where the time axis of a going run ends: it grows in steps, so that charts do not move each second, and stops at the planned end. */
export function axisEnd(elapsedSeconds: number, plannedSeconds: number | null): number {
  const step = STEPS.find((candidate) => candidate >= elapsedSeconds) ?? Math.ceil(elapsedSeconds / 86_400) * 86_400;
  return plannedSeconds !== null && plannedSeconds >= elapsedSeconds ? Math.min(step, plannedSeconds) : step;
}
