import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty directory. Whoever asks for it removes it. */
export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'holdfast-test-'));
}
