/** A position that the plan does not have: a fault of the program that counts them. */
export function noSuch(part: 'step' | 'stage' | 'target', position: number | string): RangeError {
  return new RangeError(`The plan has no ${part} ${position}.`);
}
