/** Markers that have no length field, as defined by ITU-T T.81. */
const [START, END, FIRST_RESTART, LAST_RESTART] = [0xd8, 0xd9, 0xd0, 0xd7];
const SCAN = 0xda;
/** Returns whether a marker starts a frame of any kind. C4, C8 and CC do not, because they start tables. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/**
 * Returns whether these bytes have the structure of a complete JPEG: a frame with pixels, tables, and nothing after the image data. The
 * image data is not decoded.
 */
export function isJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== START) return false;
  let at = 2;
  let hasFrame = false;
  for (;;) {
    if (at + 4 > bytes.length || bytes[at] !== 0xff) return false;
    const marker = bytes[at + 1] ?? 0;
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return false;
    if (isFrame(marker)) {
      if (length < 8 || bytes.readUInt16BE(at + 5) === 0 || bytes.readUInt16BE(at + 7) === 0) return false;
      hasFrame = true;
    }
    at = end;
    if (marker !== SCAN) continue;
    at = endOfScan(bytes, at);
    if (!hasFrame || at + 2 > bytes.length) return false;
    if (bytes[at + 1] === END) return at + 2 === bytes.length;
  }
}

/** Returns the position of the marker after the data of a scan. In the data, a byte of 255 is followed by 0 or by a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < FIRST_RESTART || next > LAST_RESTART)) return at;
  }
  return bytes.length;
}
