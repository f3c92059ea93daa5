/** A parser of foreign data, and its promises. */
export interface Subject {
  readonly name: string;
  /** Valid inputs for mutation; binary ones with one character per byte (Latin-1). */
  readonly seeds: readonly string[];
  /** Tokens with a meaning for the parser. */
  readonly tokens: readonly string[];
  /** Number of inputs of a whole campaign; default: a million. */
  readonly inputs?: number;
  /** Returns whether the parser documents an exception; HoldfastErrors always count. */
  readonly isDocumented?: (thrown: unknown) => boolean;
  /** Bytes that may be kept even for a short input: tables of fixed size. */
  readonly fixedBytes?: number;
  /** Maximum kept bytes per character, if more than 20, with the reason. */
  readonly memoryRatio?: number;
  /** Maximum processor time in ms per megabyte, if more than 1,000, with the reason. */
  readonly msPerMb?: number;
  /** Maximum length of real inputs, if short. */
  readonly longest?: number;
  /**
   * Reads the input, checks the promises, and returns the result for measuring its size. @throws {BrokenPromise} if a promise is broken.
   */
  read(input: string): unknown;
}

/** Thrown if a parser returned something against its promise. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export function assertPromise(holds: boolean, what: string): void {
  if (!holds) throw new BrokenPromise(what);
}

/** Returns the bytes of an input with one character per byte. */
export function bytesOf(input: string): Buffer {
  return Buffer.from(input, 'latin1');
}
