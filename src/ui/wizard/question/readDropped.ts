import type { DropZoneProps } from 'react-aria-components/DropZone';

export type Dropped = Parameters<NonNullable<DropZoneProps['onDrop']>>[0]['items'];

export interface Pasted {
  readonly text: string;
  /** null for what was typed or pasted. */
  readonly fileName: string | null;
  readonly tooLarge: boolean;
}

/** More is no recording that one plan could be made of. */
const LARGEST_BYTES = 100_000_000;

/** The first file that was dropped, else the first text; null for neither. */
export async function readDropped(items: Dropped): Promise<Pasted | null> {
  for (const item of items) {
    if (item.kind === 'file') return readFile(await item.getFile());
    if (item.kind === 'text' && item.types.has('text/plain'))
      return { text: await item.getText('text/plain'), fileName: null, tooLarge: false };
  }
  return null;
}

export async function readFile(file: File): Promise<Pasted> {
  const tooLarge = file.size > LARGEST_BYTES;
  return { text: tooLarge ? '' : await file.text(), fileName: file.name, tooLarge };
}
