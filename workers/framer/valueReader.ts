import { HTAB, SP } from './bytes.ts';
import type { Refusal } from './refusals.ts';

/** Reads the value of one of the headers that decide where a message ends, byte by byte, so that no split needs a copy. */
export interface ValueReader {
  /** Forgets the message before. */
  reset(): void;
  /** The first byte of a value that is not empty comes next. */
  begin(): Refusal | null;
  /** One byte of the value, without the blanks before it; CR and LF never arrive here. */
  byte(byte: number): Refusal | null;
  end(): Refusal | null;
}

/** What may stand around list elements. */
export const isBlank = (byte: number): boolean => byte === SP || byte === HTAB;
