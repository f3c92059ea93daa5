import { z } from 'zod';
import { feedRowsSchema, type FeedRows } from '#core/plan/schema/feeds.ts';

const shared = <View extends Uint8Array | Uint32Array>(isView: (value: unknown) => value is View) =>
  z.custom<View>((value) => isView(value) && value.buffer instanceof SharedArrayBuffer);

/** The rows of a feed in memory that all threads share: a thread that had rows of its own would take some hundred bytes for each. */
export const packedFeedSchema = feedRowsSchema.omit({ rows: true }).extend({
  rowCount: z.int().min(0),
  /** All values in UTF-8, row by row. */
  text: shared((value) => value instanceof Uint8Array),
  /** Where each value ends in `text`. */
  ends: shared((value) => value instanceof Uint32Array),
});
export type PackedFeed = z.infer<typeof packedFeedSchema>;

export function packFeed({ columns, rows, order }: FeedRows): PackedFeed {
  const ends = new Uint32Array(new SharedArrayBuffer(4 * rows.length * columns.length));
  let size = 0;
  for (const [row, values] of rows.entries())
    for (let column = 0; column < columns.length; column++) {
      size += Buffer.byteLength(values[column] ?? '');
      ends[row * columns.length + column] = size;
    }
  const text = new Uint8Array(new SharedArrayBuffer(size));
  const bytes = Buffer.from(text.buffer);
  let at = 0;
  for (const values of rows) for (let column = 0; column < columns.length; column++) at += bytes.write(values[column] ?? '', at);
  return { columns: [...columns], order, rowCount: rows.length, text, ends };
}

/** The value in a column of a row, counted from 0; null where there is none. */
export function valueAt({ columns, rowCount, text, ends }: PackedFeed, row: number, name: string): string | null {
  const column = columns.indexOf(name);
  if (column < 0 || row >= rowCount) return null;
  const index = row * columns.length + column;
  const start = ends[index - 1] ?? 0;
  return Buffer.from(text.buffer, start, (ends[index] ?? start) - start).toString();
}
