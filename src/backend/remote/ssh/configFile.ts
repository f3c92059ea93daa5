import { globSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import type { SshSurroundings } from './surroundings.ts';

export interface FileRights {
  readonly ownerId: number;
  readonly mode: number;
}

const WRITABLE_BY_OTHERS = 0o022;
const ACCESSIBLE_BY_OTHERS = 0o077;

/** Returns whether nobody else could have written the file, as OpenSSH requires of its configuration. */
export function isSafeConfiguration({ ownerId, mode }: FileRights, userId: number): boolean {
  return (ownerId === 0 || ownerId === userId) && (mode & WRITABLE_BY_OTHERS) === 0;
}

/** Returns whether OpenSSH would accept a private key in this file: a file of the user must not be accessible to others. */
export function isPrivate({ ownerId, mode }: FileRights, userId: number): boolean {
  return ownerId !== userId || (mode & ACCESSIBLE_BY_OTHERS) === 0;
}

/** Returns the owner and mode of a file; null on systems without owners and modes. */
export function findRights(path: string, userId: number | null): FileRights | null {
  if (userId === null) return null;
  const { uid, mode } = statSync(path);
  return { ownerId: uid, mode };
}

const MAX_BYTES = 4_000_000;

/**
 * Returns the text of a file, or null if the file does not exist. Throws errors of the file system, and an error if the file is too large.
 */
export function textOf(path: string): string | null {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new RangeError(`it is ${size} bytes long`);
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(thrown) ?? '')) return null;
    throw thrown;
  }
}

/** The user's OpenSSH configuration with included files as one text, and notes on what is not followed. */
export interface ConfigText {
  readonly text: string;
  readonly notes: readonly string[];
}

const MAX_DEPTH = 8;

/** Throws `SSH_CONFIG` for a file that cannot be read or that others could have written. */
export function readConfigText(surroundings: SshSurroundings): ConfigText {
  const notes: string[] = [];
  const text = readWithIncludes(join(surroundings.home, '.ssh', 'config'), surroundings, notes, 0);
  return { text, notes };
}

function readWithIncludes(path: string, surroundings: SshSurroundings, notes: string[], depth: number): string {
  const text = readSafely(path, surroundings);
  if (text === null) return '';
  let isInSection = false;
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const [, word = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
    const keyword = word.toLowerCase();
    isInSection ||= keyword === 'host' || keyword === 'match';
    if (keyword !== 'include') return [line];
    if (isInSection || depth >= MAX_DEPTH) {
      notes.push(`“${line.trim()}” in ${path} is ignored: it is under Host or Match, or nested too deeply.`);
      return [];
    }
    // A section of an included file ends at the end of that file.
    return [...includedFiles(rest, surroundings).map((file) => readWithIncludes(file, surroundings, notes, depth + 1)), 'Host *'];
  });
  return lines.join('\n');
}

/** Returns the files that an Include line matches, relative to ~/.ssh, sorted by name. */
function includedFiles(patterns: string, { home }: SshSurroundings): string[] {
  const patternTexts = [...patterns.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return patternTexts.flatMap((pattern) => {
    const path = pattern.startsWith('~/') ? join(home, pattern.slice(2)) : pattern;
    const whole = isAbsolute(path) ? path : resolve(home, '.ssh', path);
    return globSync(whole).sort();
  });
}

function readSafely(path: string, { userId }: SshSurroundings): string | null {
  try {
    const text = textOf(path);
    if (text === null) return null;
    const rights = findRights(path, userId);
    if (rights === null || userId === null || isSafeConfiguration(rights, userId)) return text;
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'SSH_CONFIG',
        message: `The SSH configuration ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
        hint: 'Make it readable for you; OpenSSH reads the same file.',
      },
      { cause },
    );
  }
  throw new HoldfastError({
    code: 'SSH_CONFIG',
    message: `The SSH configuration ${path} is ignored: others could have written it.`,
    hint: `OpenSSH refuses it, too. It must belong to you, and only you may write it: chmod go-w ${path}`,
  });
}
