/** Decodes every block of a baseline JPEG with one component (ITU-T T.81), independently of the generator. */
export function decodeJpeg(bytes: Uint8Array): { readonly width: number; readonly height: number; readonly blocks: number } {
  let at = 0;
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new Error('it ends too early');
    at += 1;
    return value;
  };
  const word = (): number => byte() * 256 + byte();
  const tables = new Map<number, Map<string, number>>();
  let [width, height] = [0, 0];
  if (word() !== 0xffd8) throw new Error('it does not begin as a JPEG');
  for (;;) {
    const marker = word();
    const end = at + word();
    if (marker === 0xffc4) {
      const id = byte();
      const lengths = Array.from({ length: 16 }, byte);
      const table = new Map<string, number>();
      let code = 0;
      for (const [index, count] of lengths.entries()) {
        for (let left = count; left > 0; left -= 1, code += 1) table.set(code.toString(2).padStart(index + 1, '0'), byte());
        code *= 2;
      }
      tables.set(id, table);
    } else if (marker === 0xffc0) {
      byte();
      height = word();
      width = word();
    }
    at = end;
    if (marker === 0xffda) break;
  }
  let bits = '';
  const bit = (): string => {
    if (bits === '') {
      const value = byte();
      if (value === 0xff && byte() !== 0) throw new Error('a marker within the picture');
      bits = value.toString(2).padStart(8, '0');
    }
    const first = bits.charAt(0);
    bits = bits.slice(1);
    return first;
  };
  const symbol = (table: number): number => {
    for (let code = ''; code.length < 16;) {
      code += bit();
      const value = tables.get(table)?.get(code);
      if (value !== undefined) return value;
    }
    throw new Error('a code of no table');
  };
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  for (let block = 0; block < blocks; block += 1) {
    for (let left = symbol(0x00); left > 0; left -= 1) bit();
    for (let index = 1; index < 64; index += 1) {
      const value = symbol(0x10);
      if (value === 0) break;
      index += value >> 4;
      if (index > 63) throw new Error('more than 64 coefficients in a block');
      for (let left = value & 15; left > 0; left -= 1) bit();
    }
  }
  if (word() !== 0xffd9 || at !== bytes.length) throw new Error('it does not end with its last block');
  return { width, height, blocks };
}
