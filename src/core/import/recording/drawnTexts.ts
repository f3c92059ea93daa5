import { capitalized } from '#core/base/text.ts';
import { escaped } from './place.ts';

/** How a plan calls such a text; those behind the first one are numbered. */
const NAME = 'unique';
/** A shorter text is in others by chance. */
export const SHORTEST_DRAWN = 4;
export const MOST_DRAWN = 10;

interface DrawnText {
  readonly text: string;
  readonly name: string;
  /** What stands before it in a plan: a word with a capital, where the server writes the text with one. Drawn texts may begin with a small letter. */
  readonly lead: string;
  /** A page made it up; otherwise a person said that it has to be unique. */
  readonly isMade: boolean;
}

/** Texts that have to be others in each journey. A person named them, such as the title of a page that a server takes once only, or a page made them up. */
export class DrawnTexts {
  private texts: DrawnText[];
  private readonly used = new Set<string>();

  constructor(texts: readonly string[]) {
    this.texts = texts
      .filter((text) => text.length >= SHORTEST_DRAWN)
      .map((text, index) => ({ text, name: index === 0 ? NAME : `${NAME}_${index + 1}`, lead: '', isMade: false }));
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
    this.texts.push({ text, name, lead: '', isMade: true });
  }

  /**
   * Learns from all that was sent which texts a server spells in its own way: MediaWiki keeps `probe page` as `Probe_page`. Their new texts begin with a capital, which
   * no server changes.
   */
  learn(sent: string): void {
    this.texts = this.texts.map((one) => {
      const [word = 'Page'] = /^\p{L}+/u.exec(one.text) ?? [];
      const isSpelled = this.spellings(one.text).some((form) => standsIn(sent, form));
      return isSpelled ? { ...one, lead: `${capitalized(word)}-` } : one;
    });
  }

  /** A value with placeholders in the place of these texts, and what `rest` makes of all that is between them; null where it has none of them. */
  within(value: string, rest: (text: string) => string): string | null {
    for (const { text, name, lead } of this.texts) {
      const asEntered = [text, encodeURIComponent(text.toWellFormed()), text.replaceAll(' ', '+')].find((form) => value.includes(form));
      const asSpelled = lead === '' ? undefined : this.spellings(text).find((form) => standsIn(value, form));
      const written = asEntered ?? asSpelled;
      if (written === undefined) continue;
      this.used.add(text);
      return value
        .split(written)
        .map((part) => (part === '' ? '' : (this.within(part, rest) ?? rest(part))))
        .join(`${lead}{{${name}}}`);
    }
    return null;
  }

  /** Other spellings of a text, without those that a person named by themselves. */
  private spellings(text: string): string[] {
    return spellings(text).filter((form) => !this.has(form));
  }

  /** What a plan says of each text that was found, beside the text. */
  found(): DrawnText[] {
    return this.texts.filter(({ text }) => this.used.has(text));
  }
}

/** A text as wikis write it in an address: with a capital first, and _ for blanks. */
function spellings(text: string): string[] {
  const forms = [capitalized(text), capitalized(text).replaceAll(' ', '_'), text.replaceAll(' ', '_')].flatMap((form) => [
    form,
    encodeURIComponent(form.toWellFormed()),
  ]);
  return [...new Set(forms)].filter((form) => form !== text && form !== encodeURIComponent(text.toWellFormed()));
}

function standsIn(text: string, form: string): boolean {
  return text.includes(form) && new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(form)}(?![\\p{L}\\p{N}])`, 'u').test(text);
}
