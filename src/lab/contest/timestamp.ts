/**
 * Seconds since 1970 as Python 2 prints a float: 12 significant digits, which leaves two decimals at today's dates, without
 * trailing zeros. In one answer of ten the last digit is a zero and the page is one byte shorter: the length "failures" that
 * ApacheBench reports on such pages.
 * @param epochMs milliseconds since 1970
 */
export function pythonTimestamp(epochMs: number): string {
  const hundredths = Math.round(epochMs / 10);
  const seconds = Math.floor(hundredths / 100);
  const decimals = String(hundredths % 100).padStart(2, '0');
  return `${seconds}.${decimals.endsWith('0') ? decimals.slice(0, 1) : decimals}`;
}

/** Length of a timestamp whose last digit is no zero. */
export const FULL_TIMESTAMP_LENGTH = 13;
