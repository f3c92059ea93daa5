/** Needles are told apart by as many letters at their beginning. Shorter ones are looked for by themselves. */
const KEY_LETTERS = 4;
const KEY_BITS = 16;

/**
 * Many texts to be looked for in many others, each of which is read once, whatever the number of needles. At each letter, the four letters that end there are a
 * key into the needles that begin so. A table of bits refuses nearly all keys before anything else is asked.
 */
export class Needles {
  private readonly needles: ReadonlySet<string>;
  /** How long those are that begin with a key. */
  private readonly lengths = new Map<number, number[]>();
  private readonly isKey = new Uint8Array(2 ** KEY_BITS);
  /** What is in texts that were read, for as long as whoever owns them keeps them. */
  private readonly known = new WeakMap<object, ReadonlySet<string>>();

  constructor(needles: Iterable<string>) {
    this.needles = new Set(needles);
    for (const needle of this.needles) {
      if (needle.length < KEY_LETTERS) continue;
      let key = 0;
      for (let at = 0; at < KEY_LETTERS; at += 1) key = keyWith(key, needle.charCodeAt(at));
      this.isKey[bitOf(key)] = 1;
      const lengths = this.lengths.get(key);
      if (lengths === undefined) this.lengths.set(key, [needle.length]);
      else if (!lengths.includes(needle.length)) lengths.push(needle.length);
    }
  }

  has(text: string): boolean {
    return this.needles.has(text);
  }

  /** Whether the text of `owner` has that needle in it. What is no needle is looked for all the same. */
  isIn(owner: { readonly text: string | null }, needle: string): boolean {
    const { text } = owner;
    if (text === null) return false;
    if (needle.length < KEY_LETTERS || !this.needles.has(needle)) return text.includes(needle);
    return this.read(owner).has(needle);
  }

  /** All needles of a certain length that the text of `owner` has in it. */
  read(owner: { readonly text: string | null }): ReadonlySet<string> {
    let found = this.known.get(owner);
    if (found === undefined) this.known.set(owner, (found = this.foundIn(owner.text ?? '')));
    return found;
  }

  private foundIn(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    let key = 0;
    for (let at = 0; at < text.length; at += 1) {
      key = keyWith(key, text.charCodeAt(at));
      const begin = at - KEY_LETTERS + 1;
      if (begin < 0 || this.isKey[bitOf(key)] === 0) continue;
      for (const length of this.lengths.get(key) ?? []) {
        const candidate = text.slice(begin, begin + length);
        if (this.needles.has(candidate)) found.add(candidate);
      }
    }
    return found;
  }
}

/** The last four letters as a number. Letters beyond Latin share keys: whether it is the needle is asked then. */
function keyWith(before: number, letter: number): number {
  return (before << 8) | (letter & 0xff);
}

function bitOf(key: number): number {
  return Math.imul(key, 2_654_435_769) >>> (32 - KEY_BITS);
}
