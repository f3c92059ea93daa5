import { HoldfastError } from '#core/base/errors.ts';
import type { Saved } from '../charts/saveFile.ts';
import { words } from '../words/words.ts';
import { notify } from './notices.tsx';

/** Shows a notice that a file was saved; nothing if the user closed the dialog. Throws `NOT_SAVED` if saving failed. */
export function tellSaved(saved: Saved, fileName: string): void {
  if (saved.outcome === 'failed') throw new HoldfastError({ code: 'NOT_SAVED', message: saved.message, hint: saved.hint });
  if (saved.outcome === 'saved') notify(words.app.fileSaved(fileName));
}
