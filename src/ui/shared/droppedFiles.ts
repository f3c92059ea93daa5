import { useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { MAX_SIDES } from '#contract/runCalls.ts';

/** Pages that read files of Holdfast. */
export type FilesPage = '/compare/files' | '/sealed';

interface Given {
  /** Number that increases with each choice of files, and identifies what was read from them. */
  readonly id: number;
  readonly files: readonly File[];
}

const NOTHING: Given = { id: 0, files: [] };
let given: Given = NOTHING;
const listeners = new Set<() => void>();

/** Hands files to the page that reads them. */
export function giveFiles(files: readonly File[]): void {
  given = { id: given.id + 1, files };
  for (const listener of listeners) listener();
}

/** Returns the files that were dropped or chosen last. */
export function useGivenFiles(): Given {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => given,
    () => NOTHING,
  );
}

/** Returns the page for dropped files: two results or more, or one sealed file; null for other files. */
export function pageOfFiles(names: readonly string[]): FilesPage | null {
  const all = (ending: RegExp): boolean => names.every((name) => ending.test(name));
  if (names.length === 1 && all(/\.html?$/i)) return '/sealed';
  return names.length >= 2 && names.length <= MAX_SIDES && all(/\.json$/i) ? '/compare/files' : null;
}

/** Opens the right page for files that are dropped anywhere on the window. Files of other kinds are left to the current page. */
export function watchDroppedFiles(): void {
  window.addEventListener(
    'drop',
    (event) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      const page = pageOfFiles(files.map(({ name }) => name));
      if (page === null || document.querySelector('[role="alertdialog"]') !== null) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      giveFiles(files);
      navigate(page);
    },
    { capture: true },
  );
}
