interface KeptEntry<Value> {
  readonly value: Value;
  readonly characters: number;
}

/**
 * Keeps named values up to a total number of characters, beyond which the oldest values are deleted. Names count too, because their lengths
 * come from outside.
 */
export class KeptByLength<Value> {
  private readonly kept = new Map<string, KeptEntry<Value>>();
  private readonly maxCharacters: number;
  private characters = 0;

  constructor(maxCharacters: number) {
    this.maxCharacters = maxCharacters;
  }

  has(name: string): boolean {
    return this.kept.has(name);
  }

  get(name: string): Value | undefined {
    return this.kept.get(name)?.value;
  }

  /** `characters` is the size of the value, which counts in addition to the length of its name. */
  set(name: string, value: Value, characters: number): void {
    this.delete(name);
    const added = { value, characters: name.length + characters };
    this.kept.set(name, added);
    this.characters += added.characters;
    for (const [oldest] of this.kept) {
      if (this.characters <= this.maxCharacters) return;
      this.delete(oldest);
    }
  }

  clear(): void {
    this.kept.clear();
    this.characters = 0;
  }

  private delete(name: string): void {
    const known = this.kept.get(name);
    if (known === undefined) return;
    this.kept.delete(name);
    this.characters -= known.characters;
  }
}
