import type { WrittenStep } from '../draft.ts';
import type { Configuration } from './configuration.ts';

/** FunkLoad’s settings for fetching a page: accepted statuses, redirects and resources. */
export interface Fetching {
  readonly okCodes: readonly number[];
  readonly isSimple: boolean;
}

/** Defaults of `FunkLoadTestCase`. */
const DEFAULT_OK_CODES = [200, 301, 302, 303, 307];
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307]);
const MAX_CODES = 50;

/** Returns the settings of the section [bench]; the section [ftest] is for single runs. */
export function fetchingOf(configuration: Configuration | null): Fetching {
  return {
    okCodes: okCodesIn((configuration?.get('bench', 'ok_codes') ?? '').split(':')) ?? DEFAULT_OK_CODES,
    isSimple: (configuration?.number('bench', 'simple_fetch') ?? 0) !== 0,
  };
}

/** Returns the valid statuses without duplicates; null if there are none. */
export function okCodesIn(written: readonly (string | number)[]): number[] | null {
  const codes = written.map(Number).filter((code) => Number.isInteger(code) && code >= 100 && code <= 599);
  return codes.length === 0 ? null : [...new Set(codes)].slice(0, MAX_CODES);
}

/** Returns the step fields of a page. Like FunkLoad, a redirect is followed only if its status is accepted; otherwise it fails or is the expected response. */
export function pageFields(
  { okCodes, isSimple }: Fetching,
  { follows = true, mayEndAtLogin = false } = {},
): Pick<WrittenStep, 'expectStatus' | 'redirects' | 'resources' | 'required'> {
  const final = okCodes.filter((code) => !REDIRECT_STATUSES.has(code));
  const isFollowed = follows && final.length < okCodes.length;
  return {
    // If only redirects are accepted, no final page has an accepted status, so the redirect itself is expected.
    expectStatus: isFollowed && final.length > 0 ? final : [...okCodes],
    ...(isFollowed ? { redirects: { follow: true as const, most: 10, ...(mayEndAtLogin ? { mayEndAtLogin } : {}) } } : {}),
    ...(isSimple
      ? {}
      : { resources: { kinds: ['css' as const, 'image' as const, 'icon' as const], how: 'serial' as const, reads: 'tags' as const } }),
    required: true,
  };
}
