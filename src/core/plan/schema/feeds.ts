import { z } from 'zod';

/** `credentials`: lines of name:password. `cms`: users of a contest.yaml. */
export const FEED_FORMATS = ['csv', 'jsonl', 'credentials', 'cms'] as const;

export const FEED_ORDERS = ['sequential', 'random', 'unique', 'once'] as const;

/** Rows of a file with values for a journey: one row per journey or per user. */
export const feedSchema = z.strictObject({
  /** A path on the load generator. */
  file: z.string().min(1).max(1_000),
  /** By default, the file name decides: `jsonl` for .jsonl and .ndjson, `cms` (a contest.yaml) for .yaml and .yml, and `csv` for others. */
  format: z.enum(FEED_FORMATS).optional(),
  /** Column separator of a CSV file. */
  separator: z.enum([',', ';', '\t', '|']).default(','),
  /**
   * `unique`: each user has a row that nobody else has. `once`: each journey takes a row that no journey, trial or earlier run has used.
   */
  order: z.enum(FEED_ORDERS).default('sequential'),
  /** Number of rows at the beginning that are skipped because they are used up, such as accounts with a single attempt. */
  skip: z.int().min(0).max(10_000_000).optional(),
  /** Columns with secret values, in addition to those that have names of secrets. */
  secret: z.array(z.string().max(200)).max(50).default([]),
});
export type Feed = z.output<typeof feedSchema>;

/** Returns whether a journey uses up a row, such as an account with a single attempt. */
export function consumesRows({ feeds = {} }: { readonly feeds?: Readonly<Record<string, Feed>> | undefined }): boolean {
  return Object.values(feeds).some(({ order }) => order === 'once');
}

export const feedRowsSchema = z.strictObject({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.string())),
  order: z.enum(FEED_ORDERS),
});
export type FeedRows = z.infer<typeof feedRowsSchema>;
