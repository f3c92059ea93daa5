import { HTAB, SP } from './bytes.ts';
import type { Refusal } from './refusals.ts';

/** Reads the value of a framing header byte by byte, which needs no copy for split values. */
export interface ValueReader {
  /** Prepares for the next message. */
  reset(): void;
  /** Called before the first byte of a non-empty value. */
  begin(): Refusal | null;
  /** Reads one byte of the value without leading blanks, CR and LF. */
  byte(byte: number): Refusal | null;
  end(): Refusal | null;
}

/** White space around list elements. */
export const isBlank = (byte: number): boolean => byte === SP || byte === HTAB;
