// Replaces src/core/testing/growth.ts while mutants run. Every measurement passes, because the first one counts as slightly faster.
export const MAX_GROWTH = 9;
export const measureGrowth = (): number => 1;
let measured = 1;
export const fakeCpuUs = (): number => (measured += 0.001);
