import { HoldfastError } from '#core/base/errors.ts';

/** Returns the error of an option that is invalid or conflicts with others. */
export function optionError(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'BAD_OPTION', message, hint });
}
