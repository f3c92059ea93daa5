import { sep } from 'node:path';

/** Returns the real path of a built file for Node: in a package it is beside the archive, otherwise where it was built. */
export function unpackedPath(path: string): string {
  return path.replace(`${sep}app.asar${sep}`, `${sep}app.asar.unpacked${sep}`);
}
