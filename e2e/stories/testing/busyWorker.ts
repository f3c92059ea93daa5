// A load worker that is blocked on purpose, every other second from its third second on. The query of its address contains how often and
// for how long: `?times=4&ms=400`.
const { searchParams } = new URL(import.meta.url);
const times = Number(searchParams.get('times'));
const heldUpMs = Number(searchParams.get('ms'));
const FIRST_MS = 3_000;
/** Interval in ms between two blockings. It is so long that two are never in the same second. */
const EVERY_MS = 2_000;

for (let index = 0; index < times; index += 1)
  setTimeout(
    () => {
      const until = performance.now() + heldUpMs;
      while (performance.now() < until);
    },
    FIRST_MS + index * EVERY_MS,
  ).unref();

await (searchParams.has('drop') ? import('./droppingWorker.ts') : import('#workers/loadWorker.ts'));
