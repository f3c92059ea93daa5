/** What a process that runs tests is told, and answers. It is told one thing at a time. */
export type Order =
  | { readonly kind: 'load'; readonly bundleFile: string; readonly changes: number }
  /** Run every test, and write down which changes each reaches. */
  | { readonly kind: 'count' }
  /** Run these tests of a file, in this order, with the change in place, until one fails; `isFirst` makes every module anew. */
  | {
      readonly kind: 'change';
      readonly change: number;
      readonly file: number;
      readonly tests: readonly BoundedTest[];
      readonly isFirst: boolean;
    };

/** A test by its index in its file, and after how many steps the code fails. */
export interface BoundedTest {
  readonly index: number;
  readonly mostSteps: number;
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
  /** How often the code came by a place that may be changed. */
  readonly steps: number;
  /** Why it failed; null where it passed, as it should. */
  readonly failure: string | null;
  /** The changes that it reached. */
  readonly reached: readonly number[];
}
