import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { makeOwnFolder, removeOwnFolder } from '#engine/ownFolder.ts';
import { plainText } from '../ssh/problems.ts';
import { npm } from './npm.ts';
import { tarEntry } from './tarEntry.ts';

const unpack = promisify(gunzip);

/** The Node release that Holdfast itself runs on. */
const RELEASE = '26';
const PROGRAM = 'package/bin/node';
const MAX_BYTES = 400_000_000;

const packedSchema = z.array(z.object({ filename: z.string(), version: z.string().regex(/^\d+\.\d+\.\d+$/) })).length(1);
const integritySchema = z.string().regex(/^sha512-[A-Za-z0-9+/]+={0,2}$/);

/**
 * Fetches Node for another system from the configured npm registry. The packages contain only Node. The content is compared with the hash
 * in the registry. Throws `NODE_FETCH`.
 */
export async function fetchNode(nodePackage: string): Promise<{ version: string; content: Buffer }> {
  const directory = await makeOwnFolder('node');
  try {
    const printed = await npm(
      ['pack', `${nodePackage}@${RELEASE}`, '--json', '--ignore-scripts', '--pack-destination', directory],
      directory,
    );
    const [packed] = packedSchema.parse(JSON.parse(printed));
    if (packed === undefined) throw new Error('npm has packed nothing');
    const archive = await readFile(join(directory, basename(packed.filename)));
    const named = await npm(['view', `${nodePackage}@${packed.version}`, 'dist.integrity', '--json'], directory);
    mustHaveHash(archive, integritySchema.parse(JSON.parse(named)));
    const content = tarEntry(await unpack(archive, { maxOutputLength: MAX_BYTES }), PROGRAM);
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
