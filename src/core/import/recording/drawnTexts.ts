import { capitalize } from '#core/base/text.ts';
import { escapeRegExp } from './valueLocation.ts';

/** Name of the first drawn text in a plan. Further texts get a number. */
const DRAWN_NAME = 'unique';
/** Minimum length of a drawn text. A shorter text may occur in others by chance. */
export const MIN_DRAWN_LENGTH = 4;
export const MAX_DRAWN = 10;

interface DrawnText {
  readonly text: string;
  readonly name: string;
  /**
   * Capitalized word before the placeholder, used if the server capitalizes the text. A drawn text itself may begin with a small letter.
   */
  readonly lead: string;
  /** Whether a script generated the text. If not, the person declared that it must be unique. */
  readonly isMade: boolean;
}

/** Texts that must differ in each journey, such as the title of a page that a server accepts only once. */
export class DrawnTexts {
  private texts: DrawnText[];
  private readonly used = new Set<string>();

  constructor(texts: readonly string[]) {
    this.texts = texts
      .filter((text) => text.length >= MIN_DRAWN_LENGTH)
      .map((text, index) => ({ text, name: index === 0 ? DRAWN_NAME : `${DRAWN_NAME}_${index + 1}`, lead: '', isMade: false }));
  }

  names(): string[] {
    return this.texts.map(({ name }) => name);
  }

  /** Returns whether the text is a drawn text or a part of one. */
  has(text: string): boolean {
    return this.texts.some((known) => known.text.includes(text));
  }

  /** Adds a text that a script generated. */
  add(text: string, name: string): void {
    this.texts.push({ text, name, lead: '', isMade: true });
  }

  /**
   * Finds texts that the server spells differently: MediaWiki stores `probe page` as `Probe_page`. The texts that replace them begin with a
   * capital letter, which no server changes.
   */
  noteSpellings(sent: string): void {
    this.texts = this.texts.map((one) => {
      const [word = 'Page'] = /^\p{L}+/u.exec(one.text) ?? [];
      const isSpelled = this.listSpellings(one.text).some((form) => isDelimited(sent, form));
      return isSpelled ? { ...one, lead: `${capitalize(word)}-` } : one;
    });
  }

  /** Replaces drawn texts with placeholders and applies `rest` to the text between them; null if the value contains none. */
  replaceWithin(value: string, rest: (text: string) => string): string | null {
    for (const { text, name, lead } of this.texts) {
      const asEntered = [text, encodeURIComponent(text.toWellFormed()), text.replaceAll(' ', '+')].find((form) => value.includes(form));
      const asSpelled = lead === '' ? undefined : this.listSpellings(text).find((form) => isDelimited(value, form));
      const written = asEntered ?? asSpelled;
      if (written === undefined) continue;
      this.used.add(text);
      return value
        .split(written)
        .map((part) => (part === '' ? '' : (this.replaceWithin(part, rest) ?? rest(part))))
        .join(`${lead}{{${name}}}`);
    }
    return null;
  }

  /** Returns other spellings of a text, without those that the person listed separately. */
  private listSpellings(text: string): string[] {
    return listSpellings(text).filter((form) => !this.has(form));
  }

  /** Returns the drawn texts to which the plan refers. */
  listUsedTexts(): DrawnText[] {
    return this.texts.filter(({ text }) => this.used.has(text));
  }
}

/** Returns the spellings that wikis use in addresses: with a capital first letter, and with _ for spaces. */
function listSpellings(text: string): string[] {
  const forms = [capitalize(text), capitalize(text).replaceAll(' ', '_'), text.replaceAll(' ', '_')].flatMap((form) => [
    form,
    encodeURIComponent(form.toWellFormed()),
  ]);
  return [...new Set(forms)].filter((form) => form !== text && form !== encodeURIComponent(text.toWellFormed()));
}

function isDelimited(text: string, form: string): boolean {
  return text.includes(form) && new RegExp(`(?<![\\p{L}\\p{N}_])${escapeRegExp(form)}(?![\\p{L}\\p{N}])`, 'u').test(text);
}
