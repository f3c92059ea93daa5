import { HoldfastError } from '#core/base/errors.ts';

/** Returns the error for requests to a process that is ending. */
export function closing(): HoldfastError {
  return new HoldfastError({ code: 'GONE', message: 'Holdfast is closing.', hint: 'Start it again, then start the run.' });
}
