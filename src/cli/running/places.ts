import { optionError } from '../optionError.ts';
import { placesSchema } from '#core/plan/schema/hosts.ts';

/** The places of `--on` as a document takes them. Throws `BAD_OPTION`. */
export function placesOption(on: readonly string[]): string[] {
  const parsed = placesSchema.safeParse(on);
  if (parsed.success) return parsed.data;
  throw optionError(
    `--on ${on.join(',')}: not a list of load generators.`,
    'Enter names of hosts (see: holdfast hosts list), and “here” for this computer, separated by commas.',
  );
}

/** The places of a search, as a part of its document. Throws `BAD_OPTION`. */
export function searchedFrom(on: readonly string[] | undefined): { readonly on?: string[] } {
  return on === undefined ? {} : { on: placesOption(on) };
}
