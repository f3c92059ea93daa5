import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import { openExternal } from './externalUrl.ts';
import type { OpenedFile, Verb, VerbReply } from './messages.ts';
import { printPdf } from './printPdf.ts';

const RESERVED_NAME = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/** Returns a safe form of a file name that the page suggests: not a path, not hidden, and valid on every system. */
export function safeFileName(suggested: string): string {
  const base = suggested.split(/[\\/]/).at(-1) ?? '';
  const plain = [...base].map((character) => (character < ' ' || '<>:"|?*\u007F'.includes(character) ? '-' : character)).join('');
  const name = plain.replace(/^[.\s]+|[.\s]+$/g, '').slice(0, 120);
  if (name === '') return 'holdfast.txt';
  return RESERVED_NAME.test(name) ? `_${name}` : name;
}

let pendingFile: OpenedFile | undefined;

/** Keeps a file that the system opened until the page takes it. A later file replaces an earlier one. */
export function keepForPage(file: OpenedFile): void {
  pendingFile = file;
}

/** Performs an action that the page requests. Paths come only from the user, through the system's dialog. */
export async function performVerb(verb: Verb, window: BrowserWindow): Promise<VerbReply> {
  switch (verb.verb) {
    case 'openExternal':
      return { done: await openExternal(verb.url) };
    case 'saveText': {
      const chosen = await dialog.showSaveDialog(window, { defaultPath: safeFileName(verb.suggestedName) });
      return chosen.canceled || !chosen.filePath ? { done: false } : await save(chosen.filePath, verb.content);
    }
    case 'savePdf': {
      const chosen = await dialog.showSaveDialog(window, { defaultPath: safeFileName(verb.suggestedName) });
      return chosen.canceled || !chosen.filePath ? { done: false } : await print(chosen.filePath, verb.html);
    }
    case 'takeFile': {
      const file = pendingFile;
      pendingFile = undefined;
      return file ? { done: true, file } : { done: false };
    }
    default:
      return verb satisfies never;
  }
}

async function print(file: string, html: string): Promise<VerbReply> {
  try {
    return await save(file, await printPdf(html));
  } catch (error) {
    return {
      done: false,
      problem: {
        code: 'PDF_FAILED',
        message: `The report could not be printed: ${error instanceof Error ? error.message : String(error)}`,
        hint: 'Save it as a web page instead, and print it to a PDF from any browser.',
      },
    };
  }
}

/** Saves a file. The content is written to a temporary file first, so that a full disk does not destroy an older file with that name. */
export async function save(file: string, content: string | Uint8Array): Promise<VerbReply> {
  const draft = join(dirname(file), `.${randomUUID()}.part`);
  try {
    await writeFile(draft, content, { flag: 'wx' });
    await rename(draft, file);
    return { done: true };
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    return {
      done: false,
      problem: {
        code: 'NOT_SAVED',
        message: `${file} could not be written: ${error instanceof Error ? error.message : String(error)}`,
        hint: 'Probably the folder is read-only, or the disk is full. Choose another folder and save again. The run itself is stored.',
      },
    };
  }
}
