/** Returns an error for a part that the plan does not have, which is a programming error. */
export function missingPartError(part: 'step' | 'stage' | 'target', position: number | string): RangeError {
  return new RangeError(`The plan has no ${part} ${position}.`);
}
