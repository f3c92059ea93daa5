/** Number of letters at the beginning of a needle that form its key. Needles shorter than this are searched for one by one. */
const KEY_LETTERS = 4;
const KEY_BITS = 16;

/**
 * Searches many texts for many needles. Each text is read once, whatever the number of needles. The last four letters at each position are
 * the key of the needles that begin with them. A bit table rejects most keys cheaply.
 */
export class Needles {
  private readonly needles: ReadonlySet<string>;
  /** Lengths of the needles, by their key. */
  private readonly lengths = new Map<number, number[]>();
  private readonly isKey = new Uint8Array(2 ** KEY_BITS);
  /** Caches the needles found in each text for the lifetime of the object that owns the text. */
  private readonly known = new WeakMap<object, ReadonlySet<string>>();

  constructor(needles: Iterable<string>) {
    this.needles = new Set(needles);
    for (const needle of this.needles) {
      if (needle.length < KEY_LETTERS) continue;
      let key = 0;
      for (let at = 0; at < KEY_LETTERS; at += 1) key = appendToKey(key, needle.charCodeAt(at));
      this.isKey[readBit(key)] = 1;
      const lengths = this.lengths.get(key);
      if (lengths === undefined) this.lengths.set(key, [needle.length]);
      else if (!lengths.includes(needle.length)) lengths.push(needle.length);
    }
  }

  has(text: string): boolean {
    return this.needles.has(text);
  }

  /** Returns whether the text of `owner` contains a text, which need not be one of the needles. */
  isIn(owner: { readonly text: string | null }, needle: string): boolean {
    const { text } = owner;
    if (text === null) return false;
    if (needle.length < KEY_LETTERS || !this.needles.has(needle)) return text.includes(needle);
    return this.read(owner).has(needle);
  }

  /** Returns all needles of at least `KEY_LETTERS` letters in the text of `owner`. */
  read(owner: { readonly text: string | null }): ReadonlySet<string> {
    let found = this.known.get(owner);
    if (found === undefined) this.known.set(owner, (found = this.findCandidates(owner.text ?? '')));
    return found;
  }

  private findCandidates(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    let key = 0;
    for (let at = 0; at < text.length; at += 1) {
      key = appendToKey(key, text.charCodeAt(at));
      const begin = at - KEY_LETTERS + 1;
      if (begin < 0 || this.isKey[readBit(key)] === 0) continue;
      for (const length of this.lengths.get(key) ?? []) {
        const candidate = text.slice(begin, begin + length);
        if (this.needles.has(candidate)) found.add(candidate);
      }
    }
    return found;
  }
}

/**
 * Returns the last four letters as a number, one byte for each. Letters with the same low byte collide, so candidates are compared in full.
 */
function appendToKey(before: number, letter: number): number {
  return (before << 8) | (letter & 0xff);
}

function readBit(key: number): number {
  return Math.imul(key, 2_654_435_769) >>> (32 - KEY_BITS);
}
