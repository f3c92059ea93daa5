/** Seconds as Artillery takes them for durations and pauses: whole ones as a number; of others it reads texts only, such as 196ms. */
export function timeOf(seconds: number): number | string {
  return Number.isInteger(seconds) ? seconds : `${Math.max(1, Math.round(seconds * 1_000))}ms`;
}
