import { bareName } from '#core/base/text.ts';
import type { Leaf } from './leaves.ts';
import type { LocationKind } from './schema.ts';
import type { Finder } from './takeCapture.ts';

/** A way to find a value in a response. */
export interface ValueLocation {
  readonly finder: Finder;
  readonly kind: LocationKind;
  /** Name of the value in the response. */
  readonly called: string;
  /** Whether the value has a similar name or address in the request. If so, even a short value is not there by coincidence. */
  readonly isRelated: boolean;
  /** Whether the value is in a list, whose order may change. */
  readonly isListed: boolean;
}

/** Name and kind of a value in a request. */
export type NamedLocation = Pick<Leaf, 'name' | 'location'>;

/**
 * Returns whether two names mean the same: `csrf-token` and `X-CSRF-Token`, `user_id` and `userId`, or `data-submission` and the part
 * `/submissions/` of a path.
 */
export function isAlike(name: string, leaf: NamedLocation): boolean {
  if (leaf.location === 'path') return stemOf(name) !== '' && stemOf(name) === stemOf(leaf.name);
  const [one, other] = [bareName(name), bareName(leaf.name)];
  if (one === other) return one !== '';
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter.length >= 4 && (longer.endsWith(shorter) || longer.startsWith(shorter));
}

function stemOf(name: string): string {
  return bareName(name)
    .replace(/^data/, '')
    .replace(/(ids?|numbers?|keys?)$/, '')
    .replace(/s$/, '');
}

/** Escapes a text for a regular expression. */
export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, (letter) => `\\${letter}`);
}

/** Maximum number of gaps in a pattern, because more would make the pattern slow. */
const MAX_GAPS = 3;

/** Returns a pattern for a text in which numbers and tokens may differ. */
export function maskVariableParts(text: string): string {
  const parts = text.split(/([^/=&?.\s]*\d[^/=&?.\s]*)/);
  return parts
    .slice(-2 * MAX_GAPS - 1)
    .map((part, index) =>
      index % 2 === 1 ? `[^"'&/\\s<>]{1,200}` : escapeRegExp(part).replaceAll(/&amp;|&#0?38;|&/g, '&(?:amp;|#0?38;)?'),
    )
    .join('');
}
