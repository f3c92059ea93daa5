import { HoldfastError } from '#core/base/errors.ts';

/** For an option that cannot be used as it is, or beside others. */
export function optionError(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'BAD_OPTION', message, hint });
}
