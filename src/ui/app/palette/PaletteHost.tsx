import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { registerLazy } from '#ui/shared/later.ts';
import { words } from '#ui/words/words.ts';

const Palette = lazy(registerLazy(async () => ({ default: (await import('./Palette.tsx')).Palette })));

/** Selector of open dialogs. The palette does not open above one of them. */
const OPEN_DIALOG = '[role="dialog"], [role="alertdialog"]';

interface PaletteHostProps {
  readonly path: string;
  readonly styles: { readonly item: string | undefined; readonly icon: string | undefined; readonly label: string | undefined };
}

/** Button of the navigation that opens the palette, as Ctrl-K and ⌘K do. Does nothing while another dialog is open. */
export function PaletteHost({ path, styles }: PaletteHostProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (isOpen) setOpen(false);
    else if (document.querySelector(OPEN_DIALOG) === null) setOpen(true);
  });
  useEffect(() => {
    window.addEventListener('keydown', toggle);
    return () => window.removeEventListener('keydown', toggle);
  }, []);
  return (
    <>
      <button type="button" className={styles.item} aria-haspopup="dialog" title={words.app.findKeys} onClick={() => setOpen(true)}>
        <span className={styles.icon} aria-hidden="true">
          <Search />
        </span>
        <span className={styles.label}>{words.app.find}</span>
      </button>
      {isOpen ? (
        <Suspense>
          <Palette path={path} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
