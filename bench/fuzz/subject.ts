/** A parser of foreign data, and its promises. */
export interface Subject {
  readonly name: string;
  /** Valid inputs that are mutated. Binary ones have one character per byte (Latin-1). */
  readonly seeds: readonly string[];
  /** Tokens that mean something to the parser. */
  readonly tokens: readonly string[];
  /** Number of inputs of a whole campaign. Default: a million. */
  readonly inputs?: number;
  /** Returns whether the parser documents an exception. A HoldfastError always counts as documented. */
  readonly isDocumented?: (thrown: unknown) => boolean;
  /** Number of bytes that may be kept even for a short input, such as tables of fixed size. */
  readonly fixedBytes?: number;
  /** Maximum number of bytes kept per character, with the reason if it is more than 20. */
  readonly memoryRatio?: number;
  /** Maximum processor time in ms per megabyte, with the reason if it is more than 1,000. */
  readonly msPerMb?: number;
  /** Maximum length of real inputs, if they are short. */
  readonly longest?: number;
  /**
   * Reads the input, checks the parser's promises, and returns the result, whose size is measured. @throws {BrokenPromise} if a promise is
   * broken.
   */
  read(input: string): unknown;
}

/** Thrown if a parser has broken a promise about its result. */
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
