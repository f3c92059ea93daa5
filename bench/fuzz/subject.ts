/** A parser of foreign text, and what it promises. */
export interface Subject {
  readonly name: string;
  /** Good inputs, which are changed; of bytes, one letter stands for each byte (Latin-1). */
  readonly seeds: readonly string[];
  /** Words with a meaning for the parser. */
  readonly tokens: readonly string[];
  /** Inputs of a whole campaign; a million when it is left out. */
  readonly inputs?: number;
  /** Whether an exception is one that the parser documents; HoldfastErrors always are. */
  readonly isDocumented?: (thrown: unknown) => boolean;
  /** Values that a reader of a few letters may still make, in bytes: tables of a fixed size. */
  readonly fixedBytes?: number;
  /** How many bytes may be kept for each letter, where that is more than 20, with its reason beside it. */
  readonly memoryRatio?: number;
  /** Milliseconds of processor time for a megabyte, where that may be more than 1,000, with its reason beside it. */
  readonly msPerMb?: number;
  /** Of the longest input that can come, where that is short. */
  readonly longest?: number;
  /**
   * Reads the input, checks what follows from it, and returns what was read, so that its size can be measured.
   * @throws {BrokenPromise} when the parser did not do what it promises.
   */
  read(input: string): unknown;
}

/** A parser has answered, and not as it promises. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export function promise(holds: boolean, what: string): void {
  if (!holds) throw new BrokenPromise(what);
}

/** Bytes of an input of which each letter stands for one. */
export function bytesOf(input: string): Buffer {
  return Buffer.from(input, 'latin1');
}
