import { HOSTILE_STRINGS, longString, newString } from '#core/testing/hostileStrings.ts';

/**
 * Draws the responses of a hostile server. The seed determines them, except for counters in unique strings. Strings have one character per
 * byte.
 */
export class Draw {
  private state: number;
  private made = 0;

  constructor(seed: number) {
    this.state = seed >>> 0 || 1;
  }

  /** Returns a number in [0, 1), by xorshift32 (G. Marsaglia, Xorshift RNGs, 2003). */
  number(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 4_294_967_296;
  }

  integer(from: number, to: number): number {
    return from + Math.floor(this.number() * (to - from + 1));
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length - 1)] ?? items[0];
  }

  /** Returns true with this probability. */
  chance(share: number): boolean {
    return this.number() < share;
  }

  /** Returns a unique string. */
  uniqueText(): string {
    this.made += 1;
    return newString(this.made);
  }

  /** Returns a string from the list, or a unique one. */
  text(): string {
    if (this.chance(0.25)) return this.uniqueText();
    return HOSTILE_STRINGS[this.integer(0, HOSTILE_STRINGS.length - 1)]?.wire ?? '';
  }

  /** Returns a string like `text`, which in rare cases is a megabyte long. */
  longText(): string {
    return this.chance(0.001) ? (LONG_STRINGS[this.integer(0, LONG_STRINGS.length - 1)] ?? '') : this.text();
  }

  /**
   * Returns a valid header value. The value contains no control characters, because a strict parser would reject the whole response for
   * them.
   */
  field(most = 2_000): string {
    return this.text().replaceAll(CONTROLS, '').slice(0, most);
  }

  /** Returns a valid header name. */
  fieldName(): string {
    return this.pick(['X-Hostile', '__proto__', 'constructor', 'toString', 'X-Shard', 'Server', 'Via', `X-${this.uniqueText()}`]);
  }
}

/** Strings of a megabyte each. They are built only once, because the server must be faster than the program that it attacks. */
const LONG_STRINGS = ['A', '<script>', '\u001b[2J', '{{secret}}', 'a,b\n', '\xff'].map(longString);

const CONTROLS = /(?!\t)\p{Cc}/gu;
