const MARK_WORD = 'holdfastvalue';

/** Placeholders that stand for values in an address while it is resolved. Resolving never changes their characters. */
export class ValueMarks<Value> {
  private readonly word: string;
  private readonly values: Value[] = [];

  /** `texts`: parts of the address. No mark may occur in them. */
  constructor(texts: readonly string[]) {
    // Resolving removes blanks and may remove a slash between two texts.
    const all = texts.join('').replaceAll(/[\s/]/g, '').toLowerCase();
    let word = MARK_WORD;
    while (all.includes(word)) word += 'x';
    this.word = word;
  }

  /** Returns the mark of a value. */
  mark(value: Value): string {
    return `${this.word}${this.values.push(value) - 1}z`;
  }

  /** Splits a resolved text into literal parts and marked values. */
  parseMarks<Part>(text: string, literal: (text: string) => Part): (Part | Value)[] {
    const parts = text.split(new RegExp(`${this.word}(\\d+)z`));
    return parts.map((part, index) => (index % 2 === 0 ? literal(part) : (this.values[Number(part)] ?? literal(part))));
  }
}
