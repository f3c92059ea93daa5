const WORD = 'holdfastvalue';

/** Stand for the values in an address while it is resolved: nothing in a mark is escaped, in whatever part of the address it stands. */
export class ValueMarks<Value> {
  private readonly word: string;
  private readonly values: Value[] = [];

  /** @param texts what the address is made of: none of it is taken for a mark. */
  constructor(texts: readonly string[]) {
    // A resolved address lacks blanks, and may lack a slash between two texts.
    const all = texts.join('').replaceAll(/[\s/]/g, '').toLowerCase();
    let word = WORD;
    while (all.includes(word)) word += 'x';
    this.word = word;
  }

  /** The mark of a value. */
  mark(value: Value): string {
    return `${this.word}${this.values.push(value) - 1}z`;
  }

  /** A resolved text in parts: what stands in it, as `literal` writes it, and the marked values. */
  filled<Part>(text: string, literal: (text: string) => Part): (Part | Value)[] {
    const parts = text.split(new RegExp(`${this.word}(\\d+)z`));
    return parts.map((part, index) => (index % 2 === 0 ? literal(part) : (this.values[Number(part)] ?? literal(part))));
  }
}
