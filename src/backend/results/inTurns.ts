/** So long may work go on before everything else has a turn. */
const MOST_MS = 12;

/** What an iterable gives, one after the other; between them whatever else the thread was asked has its turn, where they take long. */
export async function* inTurns<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  let since = performance.now();
  for (const value of values) {
    yield value;
    if (performance.now() - since < MOST_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}
