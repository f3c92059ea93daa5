/**
 * Lengths in bits of the codes in RFC 7541, appendix B: one for each byte, and the last for the end of the string. The code is canonical:
 * codes count up in the order of their lengths, then of their symbols.
 */
const CODE_BITS: readonly number[] = [
  [13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28],
  [28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28],
  [6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6],
  [5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10],
  [13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  [7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6],
  [15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5],
  [6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28],
  [20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23],
  [24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24],
  [22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23],
  [21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23],
  [26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25],
  [19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27],
  [20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23],
  [26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26],
  [30],
].flat();
const END_OF_STRING = 256;
/** Maximum number of padding bits, because padding is shorter than a byte (RFC 7541, section 5.2). */
const MAX_PADDING_BITS = 7;

const HUFFMAN_CODES = canonicalCodes();

function canonicalCodes(): Uint32Array {
  const codes = new Uint32Array(CODE_BITS.length);
  // The sort is stable, so symbols with the same length keep their order.
  const inOrder = [...CODE_BITS.keys()].sort((one, other) => countBits(one) - countBits(other));
  let next = 0;
  let before = 0;
  for (const symbol of inOrder) {
    next *= 2 ** (countBits(symbol) - before);
    before = countBits(symbol);
    codes[symbol] = next;
    next += 1;
  }
  return codes;
}

function countBits(symbol: number): number {
  return CODE_BITS[symbol] ?? 0;
}

/** Inner nodes of the code tree, numbered from the root, which is 0. Each node is the state between two bits. */
interface Tree {
  /** For each node, the targets of bit 0 and bit 1: another node, or a symbol as `-1 - symbol`. */
  readonly children: number[][];
  /** 1 for each node at which a string may end, because fewer than eight ones lead to it. */
  readonly isEnd: number[];
}

function codeTree(): Tree {
  const children: number[][] = [[]];
  const isEnd: number[] = [1];
  for (const [symbol, bits] of CODE_BITS.entries()) {
    const code = HUFFMAN_CODES[symbol] ?? 0;
    let node = 0;
    for (let left = bits - 1; left > 0; left -= 1) {
      const branches: number[] = children[node] ?? [];
      const bit = (code >>> left) & 1;
      branches[bit] ??= children.push([]) - 1;
      node = branches[bit];
      const depth = bits - left;
      isEnd[node] = depth <= MAX_PADDING_BITS && code >>> left === (1 << depth) - 1 ? 1 : 0;
    }
    const last = children[node];
    if (last !== undefined) last[code & 1] = -1 - symbol;
  }
  return { children, isEnd };
}

const HALF_BITS = 4;
const EMITS_FLAG = 0x100;
const INVALID_STATE = 0xffff;
/** Position of the state in a step, above the symbol and its flag. */
const STATE_SHIFT = 9;

interface DecodingTable {
  /**
   * For each state and half byte: the next state, and the completed symbol, if any. The shortest code has five bits, so a half byte
   * completes at most one symbol. Steps of a whole byte would need 16 times the memory.
   */
  readonly steps: Uint32Array;
  readonly isEnd: Uint8Array;
}

/** The decoding table. It is created for the first string, because most threads never use HTTP/2. */
let decoding: DecodingTable | null = null;

function makeDecodingTable(): DecodingTable {
  const { children, isEnd } = codeTree();
  const steps = new Uint32Array(children.length << HALF_BITS);
  for (let at = 0; at < steps.length; at += 1) steps[at] = step(children, at >> HALF_BITS, at & 0xf);
  return { steps, isEnd: Uint8Array.from(isEnd) };
}

function step(children: Tree['children'], state: number, half: number): number {
  let node = state;
  let emitted = 0;
  for (let left = HALF_BITS - 1; left >= 0; left -= 1) {
    const child = children[node]?.[(half >> left) & 1] ?? -1 - END_OF_STRING;
    if (child === -1 - END_OF_STRING) return INVALID_STATE << STATE_SHIFT;
    if (child < 0) emitted = EMITS_FLAG | (-1 - child);
    node = Math.max(0, child);
  }
  return (node << STATE_SHIFT) | emitted;
}

/** Buffer for decoded strings, which grows to the length of the longest. Decoding is synchronous, so one buffer per thread is enough. */
let scratch = Buffer.allocUnsafeSlow(4_096);

/**
 * Decodes a string. Returns null if the bytes contain the end of the string as a symbol, or if their padding contains a zero or has more
 * than seven bits.
 */
export function decodeHuffman(buffer: Buffer, start: number, end: number): string | null {
  // Each half byte results in at most one character.
  if (scratch.length < (end - start) * 2) scratch = Buffer.allocUnsafeSlow((end - start) * 2);
  const letters = scratch;
  const { steps, isEnd } = (decoding ??= makeDecodingTable());
  let state = 0;
  let length = 0;
  for (let index = start; index < end; index += 1) {
    const byte = buffer[index] ?? 0;
    let next = steps[(state << HALF_BITS) | (byte >> HALF_BITS)] ?? 0;
    if ((next & EMITS_FLAG) !== 0) {
      letters[length] = next;
      length += 1;
    }
    state = next >>> STATE_SHIFT;
    if (state === INVALID_STATE) return null;
    next = steps[(state << HALF_BITS) | (byte & 0xf)] ?? 0;
    if ((next & EMITS_FLAG) !== 0) {
      letters[length] = next;
      length += 1;
    }
    state = next >>> STATE_SHIFT;
    if (state === INVALID_STATE) return null;
  }
  return isEnd[state] === 1 ? letters.toString('latin1', 0, length) : null;
}

/** Returns the encoded length of a string in bytes. */
export function huffmanBytes(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) bits += CODE_BITS[text.charCodeAt(index) & 0xff] ?? 0;
  return Math.ceil(bits / 8);
}

/** Writes a string at `position`. Returns the position after it. */
export function encodeHuffman(text: string, target: Buffer, position: number): number {
  let next = position;
  // There are up to 7 pending bits. With a code of 30 bits they exceed the 32 bits of bitwise operators.
  let rest = 0;
  let restBits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const symbol = text.charCodeAt(index) & 0xff;
    const bits = CODE_BITS[symbol] ?? 0;
    rest = rest * 2 ** bits + (HUFFMAN_CODES[symbol] ?? 0);
    restBits += bits;
    while (restBits >= 8) {
      restBits -= 8;
      const unit = 2 ** restBits;
      const byte = Math.floor(rest / unit);
      target[next] = byte;
      next += 1;
      rest -= byte * unit;
    }
  }
  if (restBits === 0) return next;
  const padding = 8 - restBits;
  target[next] = (rest << padding) | ((1 << padding) - 1);
  return next + 1;
}
