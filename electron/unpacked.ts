import { sep } from 'node:path';

/** Where a file of the built app is for Node itself: in a package beside the archive that holds the rest, else where it was built. */
export function unpacked(path: string): string {
  return path.replace(`${sep}app.asar${sep}`, `${sep}app.asar.unpacked${sep}`);
}
