const BLOCK_BYTES = 512;

/**
 * Returns the content of one plain file of a tar archive (POSIX ustar) by its full name, or null. Reads nothing else and writes nothing, so
 * no name in the archive can lead out of a folder. Throws `RangeError` for a truncated archive.
 */
export function tarEntry(archive: Buffer, wanted: string): Buffer | null {
  for (let at = 0; at + BLOCK_BYTES <= archive.length;) {
    const header = archive.subarray(at, at + BLOCK_BYTES);
    if (header.every((byte) => byte === 0)) return null;
    const length = octal(header.subarray(124, 136));
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

function octal(field: Buffer): number | null {
  const digits = text(field).trim();
  return /^[0-7]{1,11}$/.test(digits) ? Number.parseInt(digits, 8) : null;
}
