import { HoldfastError } from '#core/base/errors.ts';

const READS = /^[\s(]*(select|with|values|table|show|explain)\b/i;
/** MySQL writes files of its server by what is otherwise a reading. */
const WRITES_FILES = /\binto\s+(outfile|dumpfile)\b/i;

/**
 * Throws `SQL_NOT_READING` for what is no question. The transaction that it is asked in is read-only besides; what neither keeps from acting are functions with
 * effects of their own, which a person sees in the list of what a plan asks for.
 */
export function requireReading(sql: string): void {
  // Whatever stands in comments is looked at too: MySQL runs some of it.
  const plain = sql.replaceAll(/--[^\n]*|#[^\n]*/g, ' ').replaceAll(/\/\*!?\d*|\*\//g, ' ');
  const first = sql.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  if (READS.test(first) && !WRITES_FILES.test(plain)) return;
  throw new HoldfastError({
    code: 'SQL_NOT_READING',
    message: 'The SQL of “stored” does something else than read.',
    hint: 'Write one SELECT whose first value is the number. It is asked in a transaction that can only read.',
  });
}
