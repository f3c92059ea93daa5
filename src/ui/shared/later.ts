const lazyParts: (() => Promise<unknown>)[] = [];

/** By this time, the first screen and its data have usually loaded. */
const FIRST_SCREEN_MS = 1_000;

/** Registers a part of the page that the first screen does not need. It loads when first shown, or by {@link preloadLater}. */
export function registerLazy<T>(load: () => Promise<T>): () => Promise<T> {
  lazyParts.push(load);
  return load;
}

/**
 * Loads all registered parts, one after the other, after the first screen. A page that loses its connection later can then still
 * open its other screens with the last known data.
 */
export function preloadLater(): void {
  setTimeout(() => void loadAll(), FIRST_SCREEN_MS);
}

async function loadAll(): Promise<void> {
  // Loading a part may register further parts, which this loop loads too. A part that fails is loaded again when shown.
  for (const load of lazyParts) await load().catch(() => {});
}
