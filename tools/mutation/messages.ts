/** What a process that runs tests is told, and answers. It is told one thing at a time. */
export type Order =
  | { readonly kind: 'load'; readonly bundleFile: string }
  /** Run every test, and count which changes each reaches. */
  | { readonly kind: 'count' }
  /** Run these tests, in this order, with the change in place, until one fails. */
  | { readonly kind: 'change'; readonly id: string; readonly tests: readonly number[]; readonly mostHits: number };

export type Answer =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'counted'; readonly tests: readonly CountedTest[]; readonly atLoad: readonly string[] }
  | { readonly kind: 'changed'; readonly isNoticed: boolean };

export interface CountedTest {
  readonly name: string;
  readonly ms: number;
  /** Why it failed; null where it passed, as it should. */
  readonly failure: string | null;
  /** How often it reached each change. */
  readonly hits: Readonly<Record<string, number>>;
}
