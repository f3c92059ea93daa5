/** Messages to a test process, one at a time, and its replies. */
export type Order =
  | { readonly kind: 'load'; readonly bundleFile: string; readonly changes: number }
  /** Runs every test, and records which changes each reaches. */
  | { readonly kind: 'count' }
  /** Runs these tests of a file in order with the change active, until one fails; `isFirst` creates every module anew. */
  | {
      readonly kind: 'change';
      readonly change: number;
      readonly file: number;
      readonly tests: readonly BoundedTest[];
      readonly isFirst: boolean;
    };

/** A test by its index in its file, and its maximum number of steps. */
export interface BoundedTest {
  readonly index: number;
  readonly maxSteps: number;
}

export type Answer =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'counted'; readonly tests: readonly CountedTest[]; readonly atLoad: readonly number[] }
  | { readonly kind: 'changed'; readonly isNoticed: boolean };

export interface CountedTest {
  readonly file: number;
  readonly index: number;
  readonly name: string;
  readonly ms: number;
  /** Number of times that the code passed a place of a change. */
  readonly steps: number;
  /** Why it failed; null if it passed, as it should. */
  readonly failure: string | null;
  /** The changes that it reached. */
  readonly reached: readonly number[];
}
