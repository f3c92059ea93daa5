const lazyParts: (() => Promise<unknown>)[] = [];

/** Time in ms after which the first screen and its data have usually loaded. */
const FIRST_SCREEN_MS = 1_000;

/**
 * Registers a part of the page that the first screen does not need. The part is loaded when it is first shown, or by {@link preloadLater}.
 */
export function registerLazy<T>(load: () => Promise<T>): () => Promise<T> {
  lazyParts.push(load);
  return load;
}

/**
 * Loads all registered parts, one after the other, after the first screen. If the page later loses its connection, it can then still open
 * its other screens with the last known data.
 */
export function preloadLater(): void {
  setTimeout(() => void loadAll(), FIRST_SCREEN_MS);
}

async function loadAll(): Promise<void> {
  // Loading a part may register further parts, which this loop loads too. A part that could not be loaded is loaded again when it is shown.
  for (const load of lazyParts) await load().catch(() => {});
}
