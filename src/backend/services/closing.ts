import { HoldfastError } from '#core/base/errors.ts';

/** For what is asked of a process that is about to end. */
export function closing(): HoldfastError {
  return new HoldfastError({ code: 'GONE', message: 'Holdfast is closing.', hint: 'Start it again, then start the run.' });
}
