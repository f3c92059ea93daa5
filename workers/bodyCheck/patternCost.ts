/**
 * Cost of matching a part of a pattern at one position: the number of steps, the number of ways to match, and how many of these ways end at
 * the same position.
 */
interface Cost {
  readonly steps: number;
  readonly ways: number;
  readonly alike: number;
}

type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'class'; readonly source: string }
  | { readonly kind: 'edge' }
  | { readonly kind: 'look'; readonly inner: Part }
  | { readonly kind: 'row'; readonly parts: readonly Part[] }
  | { readonly kind: 'either'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly inner: Part; readonly min: number; readonly max: number };

/** Returns the number of occurrences of a literal in the searched text. */
type Count = (literal: string) => number;

const EMPTY_PART: Part = { kind: 'row', parts: [] };

/**
 * Computes an upper bound for the steps of a pattern search, from the pattern and the number of its literals in the text. For known syntax,
 * the bound is never too low. Repeated groups that can match in several ways take exponentially many steps. Unknown syntax (back
 * references, sets of the flag v) has no bound.
 */
export class PatternCost {
  private readonly whole: Part | null;
  private readonly flags: string;

  constructor(pattern: string, flags: string) {
    this.flags = flags;
    this.whole = flags.includes('v') ? null : new Reader(pattern).read();
  }

  /**
   * Returns the maximum number of steps for a text; infinite for a pattern with unknown syntax. A higher bound that is faster to compute is
   * returned if it is at most `enough`.
   */
  of(text: string, enough: number): number {
    if (this.whole === null) return Number.POSITIVE_INFINITY;
    const { length } = text;
    const atMost = this.total(length, () => length);
    if (atMost <= enough) return atMost;
    const lower = this.flags.includes('i') ? text.toLowerCase() : text;
    const counts = new Map<string, number>();
    return this.total(length, (literal) => {
      const key = this.flags.includes('i') ? literal.toLowerCase() : literal;
      const known = counts.get(key) ?? countOccurrences(lower, key);
      counts.set(key, known);
      return known;
    });
  }

  private total(length: number, count: Count): number {
    if (this.whole === null) return Number.POSITIVE_INFINITY;
    return (this.starts(this.whole, length, count) + 1) * this.cost(this.whole, null, length, count).steps + length;
  }

  /** Returns the number of positions in the text at which more than the first characters of the pattern are tried. */
  private starts(part: Part, length: number, count: Count): number {
    if (part.kind === 'literal') return count(part.text);
    if (part.kind === 'either') return part.parts.reduce((sum, one) => sum + this.starts(one, length, count), 0);
    if (part.kind !== 'row') return length;
    const [first, ...rest] = part.parts;
    if (first === undefined) return length;
    if (first === START_PART && !this.flags.includes('m')) return 1;
    return first.kind === 'edge' && first !== START_PART
      ? this.starts({ kind: 'row', parts: rest }, length, count)
      : this.starts(first, length, count);
  }

  private cost(part: Part, next: Part | null, length: number, count: Count): Cost {
    switch (part.kind) {
      case 'literal':
        return { steps: part.text.length, ways: 1, alike: 1 };
      case 'class':
      case 'edge':
        return { steps: 1, ways: 1, alike: 1 };
      case 'look':
        return { steps: this.cost(part.inner, null, length, count).steps + 1, ways: 1, alike: 1 };
      case 'either':
        return sumOf(part.parts.map((one) => this.cost(one, next, length, count)));
      case 'row':
        return this.costOfRow(part.parts, next, length, count);
      case 'repeat':
        return this.costOfRepeat(part, next, length, count);
      default:
        return part satisfies never;
    }
  }

  private costOfRow(parts: readonly Part[], next: Part | null, length: number, count: Count): Cost {
    let [steps, ways, alike] = [1, 1, 1];
    for (const [index, part] of parts.entries()) {
      const one = this.cost(part, parts[index + 1] ?? next, length, count);
      steps += ways * one.steps;
      if (one.ways > 1) alike = ways * one.alike;
      // After a literal, there are at most as many ways as occurrences of the literal, times the ways that end at the same position.
      ways = part.kind === 'literal' ? Math.min(ways, count(part.text) * alike) : ways * one.ways;
    }
    return { steps, ways, alike };
  }

  private costOfRepeat({ inner, min, max }: Extract<Part, { kind: 'repeat' }>, next: Part | null, length: number, count: Count): Cost {
    const times = Math.min(max, length);
    const one = this.cost(inner, null, length, count);
    const isOneCharacter = inner.kind === 'class' || (inner.kind === 'literal' && inner.text.length === 1);
    if (one.ways > 1 && times > 1) {
      const ways = one.ways ** times;
      return { steps: ways * one.steps, ways, alike: ways };
    }
    // There is only one way if the literal after the repetition begins with a character that the repetition cannot match.
    const isCertain = isOneCharacter && next?.kind === 'literal' && !this.takes(inner, next.text.charAt(0));
    const ways = isCertain || min === max ? 1 : Math.max(1, times - Math.min(min, times) + 1) * one.ways;
    return { steps: times * (one.steps + 1) + 1, ways, alike: one.ways };
  }

  private takes(part: Part, letter: string): boolean {
    const source = part.kind === 'class' ? part.source : part.kind === 'literal' ? unescapeLetter(part.text) : '[^]';
    try {
      return new RegExp(`^${source}$`, this.flags.replaceAll(/[gym]/g, '')).test(letter);
    } catch {
      return true;
    }
  }
}

function sumOf(costs: readonly Cost[]): Cost {
  const ways = costs.reduce((sum, one) => sum + one.ways, 0);
  return { steps: costs.reduce((sum, { steps }) => sum + steps, 1), ways, alike: ways };
}

function countOccurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

function unescapeLetter(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, String.raw`\$&`);
}

const EDGE_PART: Part = { kind: 'edge' };
/** `^` takes one step at each position of the text if the flag m is set. Without the flag, all later positions fail at once. */
const START_PART: Part = { kind: 'edge' };
const CONTROL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
]);

/** Parses the source of a pattern that JavaScript accepts. */
class Reader {
  private readonly source: string;
  private at = 0;

  constructor(source: string) {
    this.source = source;
  }

  /** Returns the parsed pattern; null for unknown syntax. */
  read(): Part | null {
    try {
      const whole = this.parseAlternatives();
      return this.at === this.source.length ? whole : null;
    } catch {
      return null;
    }
  }

  private parseAlternatives(): Part {
    const parts = [this.parseSequence()];
    while (this.skip('|')) parts.push(this.parseSequence());
    return parts.length === 1 ? (parts[0] ?? EMPTY_PART) : { kind: 'either', parts };
  }

  private parseSequence(): Part {
    const parts: Part[] = [];
    while (this.at < this.source.length && !/[|)]/.test(this.source.charAt(this.at))) {
      const part = this.parseRepetition(this.parseAtom());
      const last = parts.at(-1);
      if (part.kind === 'literal' && last?.kind === 'literal') parts[parts.length - 1] = { kind: 'literal', text: last.text + part.text };
      else if (part.kind === 'row') parts.push(...part.parts);
      else parts.push(part);
    }
    return { kind: 'row', parts };
  }

  private parseRepetition(inner: Part): Part {
    const [written, min, , max] = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.source.slice(this.at)) ?? [];
    if (written === undefined) return inner;
    this.at += written.length;
    const bounds = this.parseBounds(written, min, max);
    return { kind: 'repeat', inner: inner.kind === 'row' && inner.parts.length === 1 ? (inner.parts[0] ?? inner) : inner, ...bounds };
  }

  private parseBounds(written: string, min: string | undefined, max: string | undefined): { readonly min: number; readonly max: number } {
    if (min === undefined) return { min: written.startsWith('+') ? 1 : 0, max: written.startsWith('?') ? 1 : Number.POSITIVE_INFINITY };
    const bound =
      max === undefined
        ? written.includes(',')
          ? Number.POSITIVE_INFINITY
          : Number(min)
        : max === ''
          ? Number.POSITIVE_INFINITY
          : Number(max);
    return { min: Number(min), max: bound };
  }

  private parseAtom(): Part {
    const letter = this.source.charAt(this.at);
    if (letter === '(') return this.group();
    if (letter === '[') return this.characterClass();
    if (letter === '\\') return this.escape();
    this.at += 1;
    if (letter === '^') return START_PART;
    if (letter === '$') return EDGE_PART;
    return letter === '.' ? { kind: 'class', source: '.' } : { kind: 'literal', text: letter };
  }

  private group(): Part {
    const [begin = '('] = /^\((?:\?(?:[:=!]|<[=!]|<[\w$]+>))?/.exec(this.source.slice(this.at)) ?? [];
    this.at += begin.length;
    if (begin === '(' && this.source.charAt(this.at) === '?') throw new Error('not known');
    const inner = this.parseAlternatives();
    if (!this.skip(')')) throw new Error('not known');
    // A group costs the same as its content. Only a lookaround is a part of its own.
    return /[=!]$/.test(begin) ? { kind: 'look', inner } : inner;
  }

  private characterClass(): Part {
    const [source] = /^\[(?:[^\]\\]|\\[^])*\]/.exec(this.source.slice(this.at)) ?? [];
    if (source === undefined) throw new Error('not known');
    this.at += source.length;
    return { kind: 'class', source };
  }

  private escape(): Part {
    const [source = ''] = /^\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[^])/i.exec(this.source.slice(this.at)) ?? [];
    if (source === '') throw new Error('not known');
    this.at += source.length;
    const letter = source.charAt(1);
    if (/[1-9kpP]/.test(letter)) throw new Error('not known');
    if (/[bB]/.test(letter)) return EDGE_PART;
    const control = CONTROL_ESCAPES.get(letter);
    if (control !== undefined) return { kind: 'literal', text: control };
    if (/[dDwWsSuxc0]/.test(letter)) return { kind: 'class', source };
    return { kind: 'literal', text: letter };
  }

  private skip(letter: string): boolean {
    if (this.source.charAt(this.at) !== letter) return false;
    this.at += 1;
    return true;
  }
}
