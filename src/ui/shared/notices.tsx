import { useEffect, useState, useSyncExternalStore } from 'react';
import { X } from 'lucide-react';
import { Button } from '#ui/components/Button.tsx';
import { words } from '#ui/words/words.ts';
import styles from './Notices.module.css';
import { HoldfastError } from '#core/base/errors.ts';
import type { SaveOutcome } from '#ui/components/saveFile.ts';

/** A short message with an action at the bottom of the window, such as "Deleted · Undo". */
interface Notice {
  readonly id: number;
  readonly text: string;
  readonly action: { readonly label: string; readonly act: () => void } | null;
}

let notices: readonly Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function setNotices(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

export function notify(text: string, action: Notice['action'] = null): void {
  setNotices([...notices.slice(-2), { id: nextId++, text, action }]);
}

function dismissNotice(id: number): void {
  setNotices(notices.filter((notice) => notice.id !== id));
}

function useNotices(): readonly Notice[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
    () => notices,
  );
}

const SHOWN_MS = 10_000;

export function Notices() {
  const notices = useNotices();
  return (
    <div className={styles.region} role="log" aria-label={words.app.notices} aria-live="polite">
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

/** A notice. It disappears after ten seconds, except while it is hovered or focused. */
function NoticeLine({ notice }: { readonly notice: Notice }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissNotice(notice.id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, notice.id]);
  return (
    <div
      className={styles.notice}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={styles.text}>{notice.text}</span>
      {notice.action ? (
        <Button
          size="small"
          onPress={() => {
            notice.action?.act();
            dismissNotice(notice.id);
          }}
        >
          {notice.action.label}
        </Button>
      ) : null}
      <Button look="quiet" size="small" icon={<X />} aria-label={words.app.dismiss} onPress={() => dismissNotice(notice.id)} />
    </div>
  );
}

/** Shows a notice that a file was saved. Shows nothing if the user closed the dialog. Throws `NOT_SAVED` if saving failed. */
export function reportSaved(saved: SaveOutcome, fileName: string): void {
  if (saved.outcome === 'failed') throw new HoldfastError({ code: 'NOT_SAVED', message: saved.message, hint: saved.hint });
  if (saved.outcome === 'saved') notify(words.app.fileSaved(fileName));
}
