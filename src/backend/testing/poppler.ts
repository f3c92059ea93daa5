import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a poppler program on a PDF and returns its output. */
export async function poppler(program: 'pdfinfo' | 'pdftotext', args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, [...args])).stdout;
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT')
      throw new Error(`This test reads PDFs with ${program}. Install it: apt-get install poppler-utils`, { cause: thrown });
    throw thrown;
  }
}
