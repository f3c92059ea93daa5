/**
 * The name that stands for the path of the target as it is without a slash at its end: `/italia` of `http://host/italia/`, `/` of `http://host/`.
 * A contest below a prefix has its start page there, and everything else below it.
 */
export const TARGET_WITHOUT_SLASH = 'target.withoutSlash';

/** The value of {@link TARGET_WITHOUT_SLASH}. */
export function withoutSlash(targetUrl: string): string {
  const { pathname } = new URL(targetUrl);
  return pathname.replace(/\/+$/, '') || '/';
}
