import { z } from 'zod';

const replySchema = z.object({ done: z.boolean(), problem: z.object({ message: z.string(), hint: z.string() }).optional() });

/** Result of saving a file. `declined` means that the user closed the dialog. */
export type SaveOutcome =
  | { readonly outcome: 'saved' | 'declined' }
  | { readonly outcome: 'failed'; readonly message: string; readonly hint: string };

/** Saves a text: by the system's dialog in the desktop app, or as a download in a browser. */
export async function saveText(fileName: string, mediaType: string, content: string): Promise<SaveOutcome> {
  const verbs = window.holdfast?.verbs;
  if (!verbs) {
    download(fileName, new Blob([content], { type: mediaType }));
    return { outcome: 'saved' };
  }
  return savedReply(await verbs.saveText({ suggestedName: fileName, content }));
}

/** Parses the desktop shell's response to a request to save a file. */
export function savedReply(replied: unknown): SaveOutcome {
  const reply = replySchema.parse(replied);
  if (reply.problem) return { outcome: 'failed', ...reply.problem };
  return { outcome: reply.done ? 'saved' : 'declined' };
}

/** Makes the browser download a file. */
export function download(fileName: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The address is revoked in the next task, when the browser has its own reference to the data.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** Returns a file name that is valid on every file system: ASCII letters, digits, underscores, dots and dashes. */
export function getFileName(...parts: readonly string[]): string {
  const plain = parts
    .join(' ')
    .normalize('NFKD')
    .replaceAll(/[^\w.]+/g, '-');
  return plain.replaceAll(/^[-.]+|[-.]+$/g, '').slice(0, 100) || 'holdfast';
}
