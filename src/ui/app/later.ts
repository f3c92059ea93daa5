const parts: (() => Promise<unknown>)[] = [];

/** The first screen stands by then, with what it has asked for. */
const FIRST_SCREEN_MS = 1_000;

/** A part of the page that the first screen can do without: loaded when it is first shown, or by {@link loadTheRest}. */
export function later<T>(load: () => Promise<T>): () => Promise<T> {
  parts.push(load);
  return load;
}

/**
 * Once the first screen stands, loads all that may be turned to next, one after the other. From then on a page that has lost Holdfast still
 * opens its other screens, with what was last seen.
 */
export function loadTheRest(): void {
  setTimeout(() => void loadAll(), FIRST_SCREEN_MS);
}

async function loadAll(): Promise<void> {
  // Parts that come with a part are added to the list while it is walked along. One that cannot be had now is asked for again when it is shown.
  for (const load of parts) await load().catch(() => {});
}
