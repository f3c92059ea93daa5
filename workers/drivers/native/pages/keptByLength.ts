interface Kept<Value> {
  readonly value: Value;
  readonly characters: number;
}

/** Keeps values by their names until they have more characters in all than may be kept; then the oldest go. Whoever writes the names decides how long they are. */
export class KeptByLength<Value> {
  private readonly kept = new Map<string, Kept<Value>>();
  private readonly mostCharacters: number;
  private characters = 0;

  constructor(mostCharacters: number) {
    this.mostCharacters = mostCharacters;
  }

  has(name: string): boolean {
    return this.kept.has(name);
  }

  get(name: string): Value | undefined {
    return this.kept.get(name)?.value;
  }

  /** `characters`: what is to be counted of it beside its name. */
  set(name: string, value: Value, characters: number): void {
    this.delete(name);
    const added = { value, characters: name.length + characters };
    this.kept.set(name, added);
    this.characters += added.characters;
    for (const [oldest] of this.kept) {
      if (this.characters <= this.mostCharacters) return;
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
