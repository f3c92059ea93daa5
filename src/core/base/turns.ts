/** Work divided into steps of a few milliseconds, between which other work can run. */
export type Turns<Result> = Generator<void, Result>;

/** Does the work without interruption. */
export function runTurns<Result>(turns: Turns<Result>): Result {
  let turn = turns.next();
  while (turn.done !== true) turn = turns.next();
  return turn.value;
}

/** Does the work and awaits `giveWay` after each step. Stops if `giveWay` rejects. */
export async function runTurnsYielding<Result>(turns: Turns<Result>, giveWay: () => Promise<void>): Promise<Result> {
  let turn = turns.next();
  for (; turn.done !== true; turn = turns.next()) await giveWay();
  return turn.value;
}
