/** How a plan calls such a text; those behind the first one are numbered. */
const NAME = 'unique';
/** A shorter text is in others by chance. */
export const SHORTEST_DRAWN = 4;
export const MOST_DRAWN = 10;

/** Texts that a person entered and that have to be others in each journey, such as the title of a page that a server takes once only. */
export class DrawnTexts {
  private readonly texts: readonly { readonly text: string; readonly name: string }[];
  private readonly used = new Set<string>();

  constructor(texts: readonly string[]) {
    this.texts = texts
      .filter((text) => text.length >= SHORTEST_DRAWN)
      .map((text, index) => ({ text, name: index === 0 ? NAME : `${NAME}_${index + 1}` }));
  }

  /** A value with placeholders in the place of these texts, and what `rest` makes of all that is between them; null where it has none of them. */
  within(value: string, rest: (text: string) => string): string | null {
    for (const { text, name } of this.texts) {
      const written = [text, encodeURIComponent(text.toWellFormed()), text.replaceAll(' ', '+')].find((form) => value.includes(form));
      if (written === undefined) continue;
      this.used.add(name);
      return value
        .split(written)
        .map((part) => (part === '' ? '' : (this.within(part, rest) ?? rest(part))))
        .join(`{{${name}}}`);
    }
    return null;
  }

  /** What a plan says of each text that was found, beside the text. */
  found(): { readonly text: string; readonly name: string }[] {
    return this.texts.filter(({ name }) => this.used.has(name));
  }
}
