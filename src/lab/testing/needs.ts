import { problemOf } from '#core/base/errors.ts';
import type { Missing } from '#core/base/lab/listing.ts';

/**
 * For tests of a practice server that needs programs of the machine: null when all is there, else what is not, for the name of the
 * tests that cannot run then. `prepare` is done only when the programs are there.
 */
export async function whyNot(
  missing: readonly Missing[],
  prepare: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string | null> {
  const needed = missing.filter((one) => one.needed);
  if (needed.length > 0) return needed.map(({ what, install }) => `${what} is missing (${install})`).join(', ');
  try {
    await prepare();
    return null;
  } catch (thrown) {
    const { message, hint } = problemOf(thrown);
    return `${message} ${hint}`;
  }
}
