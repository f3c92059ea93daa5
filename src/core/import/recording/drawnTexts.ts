/** How a plan calls such a text; those behind the first one are numbered. */
const NAME = 'unique';
/** A shorter text is in others by chance. */
export const SHORTEST_DRAWN = 4;
export const MOST_DRAWN = 10;

interface DrawnText {
  readonly text: string;
  readonly name: string;
  /** A page made it up; otherwise a person said that it has to be unique. */
  readonly isMade: boolean;
}

/** Texts that have to be others in each journey: those that a person named, such as the title of a page that a server takes once only, and those that pages made up. */
export class DrawnTexts {
  private readonly texts: DrawnText[];
  private readonly used = new Set<string>();

  constructor(texts: readonly string[]) {
    this.texts = texts
      .filter((text) => text.length >= SHORTEST_DRAWN)
      .map((text, index) => ({ text, name: index === 0 ? NAME : `${NAME}_${index + 1}`, isMade: false }));
  }

  names(): string[] {
    return this.texts.map(({ name }) => name);
  }

  /** Whether it is one, or a part of one. */
  has(text: string): boolean {
    return this.texts.some((known) => known.text.includes(text));
  }

  /** One more, which a page made up. */
  add(text: string, name: string): void {
    this.texts.push({ text, name, isMade: true });
  }

  /** A value with placeholders in the place of these texts, and what `rest` makes of all that is between them; null where it has none of them. */
  within(value: string, rest: (text: string) => string): string | null {
    for (const { text, name } of this.texts) {
      const written = [text, encodeURIComponent(text.toWellFormed()), text.replaceAll(' ', '+')].find((form) => value.includes(form));
      if (written === undefined) continue;
      this.used.add(text);
      return value
        .split(written)
        .map((part) => (part === '' ? '' : (this.within(part, rest) ?? rest(part))))
        .join(`{{${name}}}`);
    }
    return null;
  }

  /** What a plan says of each text that was found, beside the text. */
  found(): DrawnText[] {
    return this.texts.filter(({ text }) => this.used.has(text));
  }
}
