import { z } from 'zod';

/**
 * Record of the rows created on a target: one line of JSON per row, in a file beside the feed. With it, an interrupted populate can
 * continue, and created data can be removed. Contains no secrets.
 */
export const recordLineSchema = z.strictObject({
  at: z.iso.datetime(),
  /** Origin and path of the target. */
  target: z.string(),
  /** Value of the key column, which identifies the row. */
  key: z.string(),
  state: z.enum(['created', 'failed', 'removed', 'notRemoved']),
  /** Reason of a failure. */
  reason: z.string().optional(),
  /** Captured values that the removal needs. */
  values: z.record(z.string(), z.string()).optional(),
});
export type RecordLine = z.infer<typeof recordLineSchema>;

export interface RowRecord {
  /** Whether the row exists on the target; its last state is then `created` or `notRemoved`. */
  readonly isThere: boolean;
  readonly values: Readonly<Record<string, string>>;
}

/** Returns the state of each row of a target by key; the last line of a row counts. Skips invalid lines, such as one cut off by a crash. */
export function readRecord(text: string, target: string): Map<string, RowRecord> {
  const rows = new Map<string, RowRecord>();
  for (const line of text.split('\n')) {
    const parsed = parseLine(line);
    if (parsed === null || parsed.target !== target) continue;
    const { key, state, values } = parsed;
    const earlier = rows.get(key);
    switch (state) {
      case 'created':
        rows.set(key, { isThere: true, values: values ?? {} });
        break;
      case 'removed':
        rows.set(key, { isThere: false, values: {} });
        break;
      case 'failed':
        // A failed creation may have succeeded unnoticed, so it is tried again and not reported as created.
        if (earlier?.isThere !== true) rows.set(key, { isThere: false, values: values ?? {} });
        break;
      case 'notRemoved':
        break;
      default:
        state satisfies never;
    }
  }
  return rows;
}

function parseLine(line: string): RecordLine | null {
  if (line.trim() === '') return null;
  try {
    return recordLineSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
