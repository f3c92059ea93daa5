import { z } from 'zod';

/**
 * What was made on a target, a line of JSON for each row that was begun: it is written beside the feed, so that a populate that was
 * broken off can go on, and that what was made can be removed. It holds no secrets.
 */
export const recordLineSchema = z.strictObject({
  at: z.iso.datetime(),
  /** Origin and path of the target. */
  target: z.string(),
  /** The value of the key column. */
  key: z.string(),
  state: z.enum(['created', 'failed', 'removed', 'notRemoved']),
  /** Of a failure. */
  reason: z.string().optional(),
  /** What the journey captured that its removal asks for. */
  values: z.record(z.string(), z.string()).optional(),
});
export type RecordLine = z.infer<typeof recordLineSchema>;

export interface RowRecord {
  /** On the target: `created` and `notRemoved` rows are there. */
  readonly isThere: boolean;
  readonly values: Readonly<Record<string, string>>;
}

/** What is known of each row of a target, by its key; later lines win. Lines that are none (one was cut off by a crash) are passed over. */
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
        // It may have been made all the same, only nobody saw it: it is tried again, and not claimed to be there.
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
