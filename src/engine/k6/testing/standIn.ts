import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StandInOptions } from './standInOptions.ts';

/** A folder that contains a stand-in program named `k6`: see `k6StandIn.ts`. */
export interface StandIn {
  readonly folder: string;
  readonly path: string;
  remove(): Promise<void>;
}

export async function makeStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-k6-stand-in-'));
  const path = join(folder, 'k6');
  const program = fileURLToPath(new URL('k6StandIn.ts', import.meta.url));
  const environment = JSON.stringify(options).replaceAll("'", '');
  await writeFile(path, `#!/bin/sh\nHOLDFAST_K6_STAND_IN='${environment}' exec '${process.execPath}' --no-warnings '${program}' "$@"\n`);
  await chmod(path, 0o755);
  return { folder, path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Puts a folder first on the PATH. Returns a function that undoes this. */
export function putOnPath(folder: string): () => void {
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}:${before ?? ''}`;
  return () => {
    process.env['PATH'] = before;
  };
}
