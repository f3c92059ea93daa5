import { sep } from 'node:path';

/** Returns the real path of a built file, for Node. In a package, the file is next to the archive; otherwise it is where it was built. */
export function unpackedPath(path: string): string {
  return path.replace(`${sep}app.asar${sep}`, `${sep}app.asar.unpacked${sep}`);
}
