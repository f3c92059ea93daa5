import { optionError } from '../output/problems.ts';
import { placesSchema } from '#core/plan/schema/hosts.ts';

/** Validates the load generators of `--on` for a document. Throws `BAD_OPTION`. */
export function placesOption(on: readonly string[]): string[] {
  const parsed = placesSchema.safeParse(on);
  if (parsed.success) return parsed.data;
  throw optionError(
    `--on ${on.join(',')}: not a list of load generators.`,
    'Enter names of hosts (see: holdfast hosts list), and “here” for this computer, separated by commas.',
  );
}

/** Returns the load generators of a search as part of its document. Throws `BAD_OPTION`. */
export function searchedFrom(on: readonly string[] | undefined): { readonly on?: string[] } {
  return on === undefined ? {} : { on: placesOption(on) };
}
