/** Work with stops, a few milliseconds from one to the next: others may have their turn there. */
export type Turns<Result> = Generator<void, Result>;

/** Does the work without a pause. */
export function atOnce<Result>(turns: Turns<Result>): Result {
  let turn = turns.next();
  while (turn.done !== true) turn = turns.next();
  return turn.value;
}

/** Does the work, and asks at each stop whether others want their turn. When `giveWay` rejects, the work ends there. */
export async function inTurns<Result>(turns: Turns<Result>, giveWay: () => Promise<void>): Promise<Result> {
  let turn = turns.next();
  for (; turn.done !== true; turn = turns.next()) await giveWay();
  return turn.value;
}
