import { toProblem } from '#core/base/errors.ts';
import type { Missing } from '#core/base/lab/listing.ts';

/**
 * Returns the reason why tests of a practice server cannot run on this machine, for the title of the tests; null if they can run. `prepare`
 * runs only if all programs exist.
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
    const { message, hint } = toProblem(thrown);
    return `${message} ${hint}`;
  }
}
