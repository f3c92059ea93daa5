import type { Findings } from './parts/part.ts';

export const MEGABYTE = 1_000_000;
/** Maximum effects that a hostile server may have. */
export const LIMITS = { growthBytes: 100 * MEGABYTE, resultBytes: 50 * MEGABYTE, stallMs: 250 } as const;

/** Returns by how many bytes the process grew between two memory readings, or null if one of them is missing. */
export function growthBytes({ memory: { early, late } }: Findings): number | null {
  return early === null || late === null ? null : late.rssBytes - early.rssBytes;
}

/** Returns the requirements that a part failed, as sentences. */
export function failedRequirements(findings: Findings): string[] {
  const { seen, resultBytes, storeBytes, hasEnded, wrong, hasMemory } = findings;
  const growth = growthBytes(findings);
  return [
    ...(seen.ended === null ? [] : [`The backend ended: ${seen.ended}.`]),
    ...(hasEnded ? [] : ['It did not come to its end with a result.']),
    ...(hasMemory && growth === null ? ['How its memory grew is unknown.'] : []),
    ...(growth !== null && growth >= LIMITS.growthBytes ? [`Its memory grew by ${megabytes(growth)}.`] : []),
    ...(resultBytes >= LIMITS.resultBytes ? [`A result is ${megabytes(resultBytes)} large.`] : []),
    ...(seen.largestFrameBytes >= LIMITS.resultBytes ? [`A frame is ${megabytes(seen.largestFrameBytes)} large.`] : []),
    ...(storeBytes >= LIMITS.resultBytes + GROWN_STORE_BYTES ? [`The store is ${megabytes(storeBytes)} large.`] : []),
    ...(seen.stallMs >= LIMITS.stallMs ? [`Its event loop stood for ${Math.round(seen.stallMs)} ms.`] : []),
    ...[...seen.spoilt].map((one) => `${one}.`),
    ...seen.problems.map((problem) => `Nobody caught: ${problem.split('\n', 1)[0] ?? ''}`),
    ...wrong,
  ];
}

/** Number of bytes by which the store may grow because of the windows of a long run. */
const GROWN_STORE_BYTES = 50 * MEGABYTE;

export function megabytes(bytes: number | null): string {
  return bytes === null ? '–' : `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
