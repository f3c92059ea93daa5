import { NODE_ROOT, type WordTable } from './wordTable.ts';
import { COMMA, HTAB, SP } from './bytes.ts';
import type { Refusal } from './refusals.ts';

/** Index of a list element that is not in the table. */
export const OTHER_WORD = -1;

const AT_START = 0;
const IN_ELEMENT = 1;
const AFTER_WORD = 2;
const IN_OTHER = 3;

/** Reads a comma-separated list of words (RFC 9110, section 5.6.1). Ignores empty elements. */
export abstract class WordListReader implements ValueReader {
  private readonly words: WordTable;
  private at = AT_START;
  private node = NODE_ROOT;
  private word = OTHER_WORD;

  constructor(words: WordTable) {
    this.words = words;
  }

  abstract reset(): void;

  /** Receives one list element: the index of the word, or {@link OTHER_WORD}. */
  protected abstract take(word: number): Refusal | null;

  begin(): Refusal | null {
    this.startElement();
    return null;
  }

  byte(byte: number): Refusal | null {
    if (byte === COMMA) {
      const refusal = this.end();
      this.startElement();
      return refusal;
    }
    if (isBlank(byte)) this.takeBlank();
    else if (this.at === AT_START || this.at === IN_ELEMENT) this.match(byte);
    else this.rejectWord();
    return null;
  }

  end(): Refusal | null {
    return this.at === AT_START ? null : this.take(this.word);
  }

  private takeBlank(): void {
    if (this.at === IN_ELEMENT) this.at = this.word === OTHER_WORD ? IN_OTHER : AFTER_WORD;
  }

  private match(byte: number): void {
    this.at = IN_ELEMENT;
    this.node = this.words.next[(this.node << 8) | byte] ?? 0;
    if (this.node <= NODE_ROOT) this.rejectWord();
    else this.word = this.words.wordAt[this.node] ?? OTHER_WORD;
  }

  private rejectWord(): void {
    this.at = IN_OTHER;
    this.word = OTHER_WORD;
  }

  private startElement(): void {
    this.at = AT_START;
    this.node = NODE_ROOT;
    this.word = OTHER_WORD;
  }
}

/** Reads the value of a framing header byte by byte, so that split values need not be copied. */
export interface ValueReader {
  /** Prepares for the next message. */
  reset(): void;
  /** Called before the first byte of a non-empty value. */
  begin(): Refusal | null;
  /** Receives one byte of the value. Leading blanks, CR and LF are left out. */
  byte(byte: number): Refusal | null;
  end(): Refusal | null;
}

/** Returns whether a byte is white space around list elements. */
export const isBlank = (byte: number): boolean => byte === SP || byte === HTAB;
