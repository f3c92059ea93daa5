import { useSyncExternalStore } from 'react';

/** A short message at the foot of the window that can be acted on for some seconds, such as "Deleted · Undo". */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly act: () => void } | null;
}

let notices: readonly Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

export function notify(text: string, action: Notice['action'] = null): void {
  set([...notices.slice(-2), { id: nextId++, text, action }]);
}

export function dismissNotice(id: number): void {
  set(notices.filter((notice) => notice.id !== id));
}

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
}
