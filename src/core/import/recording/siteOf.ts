import { getDomain } from 'tldts';

/** Whose an address is: a site has as many names as it likes, but one domain. */
export function siteOf(url: string): string {
  return getDomain(url) ?? (URL.canParse(url) ? new URL(url).hostname : '');
}
