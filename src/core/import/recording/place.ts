import { bareName } from '#core/base/text.ts';
import type { Leaf } from './leaves.ts';
import type { PlaceKind } from './schema.ts';
import type { Finder } from './takeCapture.ts';

/** A way to find a value in a response. */
export interface Place {
  readonly finder: Finder;
  readonly kind: PlaceKind;
  /** What it is called there. */
  readonly called: string;
  /** It is called or addressed there as in the request that sends it: even a short value is no coincidence then. */
  readonly isRelated: boolean;
  /** It stands in a list, in which another may come first tomorrow. */
  readonly isListed: boolean;
}

/** What a request calls a value, and where in it. */
export type Called = Pick<Leaf, 'name' | 'place'>;

/** Whether two names mean the same: `csrf-token` and `X-CSRF-Token`, `user_id` and `userId`, `data-submission` and the part `/submissions/` of a path. */
export function isAlike(name: string, leaf: Called): boolean {
  if (leaf.place === 'path') return stem(name) !== '' && stem(name) === stem(leaf.name);
  const [one, other] = [bareName(name), bareName(leaf.name)];
  if (one === other) return one !== '';
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter.length >= 4 && (longer.endsWith(shorter) || longer.startsWith(shorter));
}

function stem(name: string): string {
  return bareName(name)
    .replace(/^data/, '')
    .replace(/(ids?|numbers?|keys?)$/, '')
    .replace(/s$/, '');
}

/** A text that stands for itself in a pattern. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, (letter) => `\\${letter}`);
}

/** More places of a pattern where anything may stand make it slow. */
const MOST_GAPS = 3;

/** A text as a pattern, with anything in the place of what looks like a number or a token. */
export function skeleton(text: string): string {
  const parts = text.split(/([^/=&?.\s]*\d[^/=&?.\s]*)/);
  return parts
    .slice(-2 * MOST_GAPS - 1)
    .map((part, index) => (index % 2 === 1 ? `[^"'&/\\s<>]{1,200}` : escaped(part).replaceAll(/&amp;|&#0?38;|&/g, '&(?:amp;|#0?38;)?')))
    .join('');
}
