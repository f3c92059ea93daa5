import type { WrittenStep } from '../draft.ts';
import type { Configuration } from './configuration.ts';

/** How FunkLoad fetches a page: which statuses are good, whether redirects are followed, and what comes with it. */
export interface Fetching {
  readonly okCodes: readonly number[];
  readonly isSimple: boolean;
}

/** Of `FunkLoadTestCase` where a configuration says nothing. */
const DEFAULT_OK_CODES = [200, 301, 302, 303, 307];
const FOLLOWED: ReadonlySet<number> = new Set([301, 302, 303, 307]);
const MAX_CODES = 50;

/** What the section [bench] says; the section [ftest] is for single runs. */
export function fetchingOf(configuration: Configuration | null): Fetching {
  return {
    okCodes: okCodesIn((configuration?.get('bench', 'ok_codes') ?? '').split(':')) ?? DEFAULT_OK_CODES,
    isSimple: (configuration?.number('bench', 'simple_fetch') ?? 0) !== 0,
  };
}

/** Valid statuses, each once; null where there is none. */
export function okCodesIn(written: readonly (string | number)[]): number[] | null {
  const codes = written.map(Number).filter((code) => Number.isInteger(code) && code >= 100 && code <= 599);
  return codes.length === 0 ? null : [...new Set(codes)].slice(0, MAX_CODES);
}

/** A redirect is followed where its status is a good one, as by FunkLoad; else it fails, or is the response that is wanted. */
export function pageFields(
  { okCodes, isSimple }: Fetching,
  { follows = true, mayEndAtLogin = false } = {},
): Pick<WrittenStep, 'expectStatus' | 'redirects' | 'resources' | 'required'> {
  const final = okCodes.filter((code) => !FOLLOWED.has(code));
  const isFollowed = follows && final.length < okCodes.length;
  return {
    // With nothing but redirects, any page that they lead to has a status that is not good.
    expectStatus: isFollowed && final.length > 0 ? final : [...okCodes],
    ...(isFollowed ? { redirects: { follow: true as const, most: 10, ...(mayEndAtLogin ? { mayEndAtLogin } : {}) } } : {}),
    ...(isSimple
      ? {}
      : { resources: { kinds: ['css' as const, 'image' as const, 'icon' as const], how: 'serial' as const, reads: 'tags' as const } }),
    required: true,
  };
}
