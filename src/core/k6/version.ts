/** Oldest k6 whose output is known to be read rightly. */
export const OLDEST_K6 = '1.0.0';

/** The version in what `k6 version` prints, "k6 v1.8.1 (go1.26.8, linux/amd64)", without its v; null when the program says something else. */
export function k6VersionIn(output: string): string | null {
  return /^k6(?:\.exe)? v(\d+\.\d+\.\d+[\w.+-]*)/m.exec(output)?.[1] ?? null;
}

/** Whether a version can be used here. */
export function isKnownK6(version: string): boolean {
  return Number(version.split('.')[0]) >= Number(OLDEST_K6.split('.')[0]);
}
