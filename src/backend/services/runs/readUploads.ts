import { readFile, stat } from 'node:fs/promises';
import { HoldfastError } from '#core/errors.ts';
import { uploadsOf } from '#core/journey/uploads.ts';
import type { Plan } from '#core/plan/schema.ts';

const MOST_BYTES = 16 * 1_048_576;

/**
 * Reads the files that a plan's steps send, as Base64 by their paths.
 * @throws {HoldfastError} `UPLOAD_UNREADABLE` that lists every file that cannot be had.
 */
export async function readUploads(plan: Plan): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  const problems: string[] = [];
  for (const path of uploadsOf(plan)) {
    try {
      if ((await stat(path)).size > MOST_BYTES) problems.push(`${path} is larger than 16 MiB.`);
      else files[path] = (await readFile(path)).toString('base64');
    } catch (thrown) {
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
      problems.push(`${path} cannot be read (${code}).`);
    }
  }
  if (problems.length === 0) return files;
  throw new HoldfastError({
    code: 'UPLOAD_UNREADABLE',
    message: problems.join('\n'),
    hint: 'Check the paths of the files that the steps send, or let Holdfast make up contents of that size: {bytes: 98831, type: image/jpeg}.',
  });
}
