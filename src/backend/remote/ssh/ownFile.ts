import { readFileSync, statSync } from 'node:fs';

/** What a file's owner and mode are judged by. */
export interface FileRights {
  readonly ownerId: number;
  readonly mode: number;
}

const WRITABLE_BY_OTHERS = 0o022;
const FOR_OTHERS = 0o077;

/** OpenSSH follows a configuration only when nobody else could have written it. */
export function isSafeToFollow({ ownerId, mode }: FileRights, userId: number): boolean {
  return (ownerId === 0 || ownerId === userId) && (mode & WRITABLE_BY_OTHERS) === 0;
}

/** OpenSSH uses a private key of the person only when nobody else can do anything with its file. */
export function isPrivate({ ownerId, mode }: FileRights, userId: number): boolean {
  return ownerId !== userId || (mode & FOR_OTHERS) === 0;
}

/** null where files have no owner and mode of that kind. */
export function rightsOf(path: string, userId: number | null): FileRights | null {
  if (userId === null) return null;
  const { uid, mode } = statSync(path);
  return { ownerId: uid, mode };
}

const LIMIT_BYTES = 4_000_000;

/** The text of a file of the person's; null when there is none. Throws what the file system does, and for a file of absurd length. */
export function textOf(path: string): string | null {
  try {
    const { size } = statSync(path);
    if (size > LIMIT_BYTES) throw new RangeError(`it is ${size} bytes long`);
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')) return null;
    throw thrown;
  }
}
