import { createHash, randomBytes } from 'node:crypto';
import { HoldfastError } from '#core/base/errors.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { plainText } from '../ssh/problems.ts';
import { Files } from './files.ts';
import { shellQuoted } from './clock.ts';

/** A file to place on a host. Its name contains the beginning of its hash, so each version is a separate file. */
export interface WantedFile {
  readonly name: string;
  readonly content: Buffer;
  readonly isProgram: boolean;
}

const OWNER_ONLY = 0o700;
const DIRECTORY = ['.cache', 'holdfast'];
const HASH_DIGITS = 32;

/** Returns `prefix-HASH.suffix`, with the hash of the content. */
export function contentName(prefix: string, content: Buffer, suffix = ''): string {
  return `${prefix}-${hashOf(content).slice(0, HASH_DIGITS)}${suffix}`;
}

/**
 * Ensures that a file is in Holdfast's folder in the user's home, and returns its path. An existing file is compared by hash. A copy gets
 * its final name only when complete. Throws `HOST_DISK_FULL`, `HOST_FILES` or `HOST_LOST`.
 */
export async function placeFile(connection: SshConnection, wanted: WantedFile): Promise<string> {
  const sftp = await connection.openFiles().catch((thrown: unknown) => {
    throw thrown instanceof HoldfastError ? thrown : filesRefused(connection.label, 'its SSH server does not support SFTP', thrown);
  });
  const files = new Files(sftp, connection);
  try {
    return await place(files, connection, wanted);
  } catch (thrown) {
    if (thrown instanceof HoldfastError) throw thrown;
    if (await isFull(files, wanted.content.length)) throw diskFull(connection.label, wanted.content.length, thrown);
    throw filesRefused(connection.label, plainText(thrown instanceof Error ? thrown.message : String(thrown)), thrown);
  } finally {
    sftp.end();
  }
}

/** Returns whether a host offers SFTP. Throws `HOST_LOST`. */
export async function takesFiles(connection: SshConnection): Promise<boolean> {
  try {
    const sftp = await connection.openFiles();
    sftp.end();
    return true;
  } catch (thrown) {
    if (thrown instanceof HoldfastError) throw thrown;
    return false;
  }
}

async function place(files: Files, connection: SshConnection, { name, content, isProgram }: WantedFile): Promise<string> {
  const directory = await ownDirectory(files, connection.label);
  const path = `${directory}/${name}`;
  if ((await files.sizeOf(path)) === content.length && (await hashOnHost(connection, files, path, content.length)) === hashOf(content))
    return path;
  const temporary = `${directory}/.${randomBytes(8).toString('hex')}.part`;
  try {
    await files.write(temporary, content, isProgram ? OWNER_ONLY : 0o600);
    const copied = await hashOnHost(connection, files, temporary, content.length);
    if (copied !== hashOf(content)) throw new Error('the copy differs from the original');
    await files.rename(temporary, path);
  } catch (thrown) {
    await files.remove(temporary).catch(() => {});
    throw thrown;
  }
  return path;
}

/** Creates a folder that only its owner may write. Rejects a folder that others may write: they could replace the program. */
async function ownDirectory(files: Files, label: string): Promise<string> {
  let path = await files.home();
  if (!path.startsWith('/')) throw filesRefused(label, 'it has no home directory', null);
  for (const name of DIRECTORY) {
    path = `${path === '/' ? '' : path}/${name}`;
    await files.makeDirectory(path, OWNER_ONLY);
  }
  if (await files.isOwnOnly(path)) return path;
  throw filesRefused(label, `others can write to ${plainText(path)}, or it is not a folder (there: chmod 700 ${plainText(path)})`, null);
}

/** Uses the host's own hash tools, so a large file is not sent back; reads the file back if there are none. */
async function hashOnHost(connection: SshConnection, files: Files, path: string, maxBytes: number): Promise<string> {
  const file = shellQuoted(path);
  const input = `(sha256sum < ${file} || shasum -a 256 < ${file} || openssl dgst -sha256 -r < ${file}) 2>/dev/null\n`;
  const { out } = await connection.run('sh', { input, limitSeconds: 120 });
  const found = /\b[0-9a-f]{64}\b/.exec(out.slice(-200))?.[0];
  return found ?? files.hash(path, maxBytes);
}

async function isFull(files: Files, neededBytes: number): Promise<boolean> {
  const free = await files.freeBytes().catch(() => null);
  return free !== null && free < neededBytes;
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function diskFull(label: string, neededBytes: number, cause: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'HOST_DISK_FULL',
      message: `The disk of ${label} is full: ${(neededBytes / 1e6).toFixed(1)} MB could not be copied to the user's home directory.`,
      hint: 'Free some space there (df -h ~). The partial copy was removed.',
    },
    { cause },
  );
}

function filesRefused(label: string, why: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'HOST_FILES',
      message: `Cannot copy files to ${label}: ${why}.`,
      hint: 'The agent is copied to ~/.cache/holdfast, which must belong to the user. Check its permissions, and “Subsystem sftp” of the SSH server.',
    },
    { cause },
  );
}
