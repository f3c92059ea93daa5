/** A parser of foreign data, with what it promises. */
export interface Subject {
  readonly name: string;
  /** Valid inputs, which are then mutated. Binary inputs have one character per byte (Latin-1). */
  readonly seeds: readonly string[];
  /** Tokens that have a meaning for the parser. */
  readonly tokens: readonly string[];
  /** Number of inputs in a whole campaign. Default: a million. */
  readonly inputs?: number;
  /** Returns whether the parser documents an exception. A HoldfastError always counts as documented. */
  readonly isDocumented?: (thrown: unknown) => boolean;
  /** Number of bytes that may be kept even after a short input, such as tables of fixed size. */
  readonly fixedBytes?: number;
  /** Maximum number of bytes that are kept per character. If it is more than 20, the reason is stated. */
  readonly memoryRatio?: number;
  /** Maximum processor time in ms per megabyte. If it is more than 1,000, the reason is stated. */
  readonly msPerMb?: number;
  /** Maximum length of real inputs, if these are short. */
  readonly longest?: number;
  /**
   * Reads the input, checks the parser's promises, and returns the result, whose size is then measured. @throws {BrokenPromise} if a
   * promise is broken.
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
