import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns a text in several encodings: plain, URL, Base64 and hexadecimal. */
function listEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')];
}

/** Returns the names of those secrets that a text or file contains. */
export function leaksIn(content: string | Buffer, secrets: Readonly<Record<string, string>>): string[] {
  const bytes = Buffer.from(content);
  return Object.entries(secrets).flatMap(([name, secret]) => (listEncodings(secret).some((guise) => bytes.includes(guise)) ? [name] : []));
}

/** Returns every file below the folder that contains a secret, as `file: name of the secret`. */
export async function leaksBelow(folder: string, secrets: Readonly<Record<string, string>>): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    // SQLite removes its side files when the last connection closes, so a file may no longer exist.
    const content = await readFile(file).catch(() => '');
    found.push(...leaksIn(content, secrets).map((name) => `${file}: ${name}`));
  }
  return found;
}
