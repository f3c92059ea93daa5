import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The ways in which a text may hide in a file: as it is, in a URL, in Base64, in hexadecimal. */
function guises(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')];
}

/** Which of the secrets a text or a file's bytes hold, by name. */
export function leaksIn(content: string | Buffer, secrets: Readonly<Record<string, string>>): string[] {
  const bytes = Buffer.from(content);
  return Object.entries(secrets).flatMap(([name, secret]) => (guises(secret).some((guise) => bytes.includes(guise)) ? [name] : []));
}

/** Every file below the folder that holds a secret, as `file: name of the secret`. */
export async function leaksBelow(folder: string, secrets: Readonly<Record<string, string>>): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    // SQLite removes its side files when the last connection closes, which may be now.
    const content = await readFile(file).catch(() => '');
    found.push(...leaksIn(content, secrets).map((name) => `${file}: ${name}`));
  }
  return found;
}
