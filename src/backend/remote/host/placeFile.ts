import { createHash, randomBytes } from 'node:crypto';
import type { SFTPWrapper, Stats } from 'ssh2';
import { HoldfastError } from '#core/base/errors.ts';
import type { SshConnection } from '../ssh/connection.ts';
import { plainText } from '../ssh/problems.ts';
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
 * Ensures that a file is in Holdfast's folder in the user's home, and returns its path. An existing file is compared by its hash. A copy
 * gets its final name only once the copy is complete. Throws `HOST_DISK_FULL`, `HOST_FILES` or `HOST_LOST`.
 */
export async function placeFile(connection: SshConnection, file: WantedFile): Promise<string> {
  const sftp = await connection.openFiles().catch((thrown: unknown) => {
    throw thrown instanceof HoldfastError ? thrown : filesRefused(connection.label, 'its SSH server does not support SFTP', thrown);
  });
  const files = new Files(sftp, connection);
  try {
    return await placeOn(files, connection, file);
  } catch (thrown) {
    if (thrown instanceof HoldfastError) throw thrown;
    if (await isFull(files, file.content.length)) throw diskFull(connection.label, file.content.length, thrown);
    throw filesRefused(connection.label, plainText(thrown instanceof Error ? thrown.message : String(thrown)), thrown);
  } finally {
    sftp.end();
  }
}

/** Returns whether a host offers SFTP. Throws `HOST_LOST`. */
export async function offersSftp(connection: SshConnection): Promise<boolean> {
  try {
    const sftp = await connection.openFiles();
    sftp.end();
    return true;
  } catch (thrown) {
    if (thrown instanceof HoldfastError) throw thrown;
    return false;
  }
}

async function placeOn(files: Files, connection: SshConnection, { name, content, isProgram }: WantedFile): Promise<string> {
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

/**
 * Creates a folder that only its owner may write. Rejects an existing folder that others may write, because they could replace the program
 * in it.
 */
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

/**
 * Returns the hash of a file on the host. The host computes the hash, so that a large file is not sent back. If the host has no tool for
 * that, the file is read back.
 */
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

function filesRefused(label: string, reason: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'HOST_FILES',
      message: `Cannot copy files to ${label}: ${reason}.`,
      hint: 'The agent is copied to ~/.cache/holdfast, which must belong to the user. Check its permissions, and “Subsystem sftp” of the SSH server.',
    },
    { cause },
  );
}

/** Bytes per piece, and maximum number of pieces in flight. */
const PIECE_BYTES = 32_000;
const MAX_PIECES_IN_FLIGHT = 32;
/** Time limit for hashing a file, whether here or with the host's own tools. */
const HASH_LIMIT_MS = 120_000;
const WRITABLE_BY_OTHERS = 0o022;
const NO_SUCH_FILE = 2;
const END_OF_FILE = 1;

/** The files of a host, accessed over SFTP. All methods throw the server's error, or the cause of a lost connection. */
export class Files {
  private readonly sftp: SFTPWrapper;
  private readonly connection: Pick<SshConnection, 'addLostListener'>;

  constructor(sftp: SFTPWrapper, connection: Pick<SshConnection, 'addLostListener'>) {
    this.sftp = sftp;
    this.connection = connection;
  }

  home(): Promise<string> {
    return this.ask((done) => this.sftp.realpath('.', done));
  }

  /** Returns null if the file does not exist. */
  async sizeOf(path: string): Promise<number | null> {
    const stats = await this.stats(path);
    return stats?.isFile() === true ? stats.size : null;
  }

  async makeDirectory(path: string, mode: number): Promise<void> {
    if ((await this.stats(path)) === null) await this.ask<void>((done) => this.sftp.mkdir(path, { mode }, done));
  }

  /** Returns whether the path is a folder that belongs to the owner of the home directory and that nobody else may write. */
  async isOwnOnly(path: string): Promise<boolean> {
    const [stats, home] = [await this.stats(path), await this.stats('.')];
    return stats !== null && home !== null && stats.isDirectory() && stats.uid === home.uid && (stats.mode & WRITABLE_BY_OTHERS) === 0;
  }

  /** Writes a new file. Fails if the file exists. */
  async write(path: string, content: Buffer, mode: number): Promise<void> {
    const handle = await this.ask<Buffer>((done) => this.sftp.open(path, 'wx', { mode }, done));
    try {
      let next = 0;
      const writePieces = async (): Promise<void> => {
        while (next < content.length) {
          const start = next;
          next += PIECE_BYTES;
          const length = Math.min(PIECE_BYTES, content.length - start);
          await this.ask<void>((done) => this.sftp.write(handle, content, start, length, start, done));
        }
      };
      await Promise.all(Array.from({ length: MAX_PIECES_IN_FLIGHT }, writePieces));
    } finally {
      await this.ask<void>((done) => this.sftp.close(handle, done));
    }
  }

  /** Returns the SHA-256 of a file. Reads at most `maxBytes`, whatever size the server states, and throws if there are more. */
  async hash(path: string, maxBytes: number): Promise<string> {
    const hash = createHash('sha256');
    const piece = Buffer.alloc(PIECE_BYTES);
    const endMs = performance.now() + HASH_LIMIT_MS;
    const handle = await this.ask<Buffer>((done) => this.sftp.open(path, 'r', done));
    try {
      for (let position = 0; ;) {
        const count = await this.ask<number>((done) => this.sftp.read(handle, piece, 0, PIECE_BYTES, position, done)).catch(zeroAtEnd);
        if (count === 0) return hash.digest('hex');
        position += count;
        if (position > maxBytes) throw new Error(`the file has more than ${maxBytes} bytes`);
        if (performance.now() > endMs) throw new Error(`its content did not come within ${HASH_LIMIT_MS / 1_000} s`);
        hash.update(piece.subarray(0, count));
      }
    } finally {
      await this.ask<void>((done) => this.sftp.close(handle, done));
    }
  }

  /** Replaces a file, in one step where the server supports that. */
  async rename(from: string, to: string): Promise<void> {
    try {
      await this.ask<void>((done) => this.sftp.ext_openssh_rename(from, to, done));
    } catch {
      if ((await this.stats(to)) !== null) await this.remove(to);
      await this.ask<void>((done) => this.sftp.rename(from, to, done));
    }
  }

  remove(path: string): Promise<void> {
    return this.ask<void>((done) => this.sftp.unlink(path, done));
  }

  /** Returns the free bytes for the user on the disk of the home directory. */
  async freeBytes(): Promise<number> {
    const { f_bavail: blocks, f_frsize: blockBytes } = await this.ask<{ f_bavail: number; f_frsize: number }>((done) =>
      this.sftp.ext_openssh_statvfs('.', done),
    );
    return blocks * blockBytes;
  }

  /** Returns the attributes of a path, or null if the path does not exist. Does not follow links, because Holdfast creates none there. */
  private async stats(path: string): Promise<Stats | null> {
    try {
      return await this.ask<Stats>((done) => this.sftp.lstat(path, done));
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === NO_SUCH_FILE) return null;
      throw thrown;
    }
  }

  private ask<Value>(start: (done: (error?: Error | null, value?: Value) => void) => void): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const forget = this.connection.addLostListener(reject);
    start((error, value) => {
      if (error) reject(error);
      // If there is no error, SFTP returns a value of the requested type, or nothing.
      else resolve(value as Value);
    });
    return promise.finally(forget);
  }
}

/** Returns 0 at the end of a file, which SFTP reports as an error. */
function zeroAtEnd(thrown: unknown): number {
  if (thrown instanceof Error && 'code' in thrown && thrown.code === END_OF_FILE) return 0;
  throw thrown;
}
