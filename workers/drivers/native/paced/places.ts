/** Takes one of the `most` places that all threads share. `taken` holds one number. False when none is free. */
export function claimPlace(taken: Int32Array, most: number): boolean {
  for (let seen = Atomics.load(taken, 0); seen < most;) {
    const before = Atomics.compareExchange(taken, 0, seen, seen + 1);
    if (before === seen) return true;
    seen = before;
  }
  return false;
}

export function leavePlace(taken: Int32Array): void {
  Atomics.sub(taken, 0, 1);
}
