import { HoldfastError } from '#core/base/errors.ts';
import type { Saved } from '../charts/saveFile.ts';
import { words } from '../words/words.ts';
import { notify } from './notices.tsx';

/** Tells the person that a file was saved; nothing where the person closed the dialog. Throws `NOT_SAVED` where it could not be. */
export function tellSaved(saved: Saved, fileName: string): void {
  if (saved.outcome === 'failed') throw new HoldfastError({ code: 'NOT_SAVED', message: saved.message, hint: saved.hint });
  if (saved.outcome === 'saved') notify(words.app.fileSaved(fileName));
}
