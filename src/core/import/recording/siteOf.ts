import { getDomain } from 'tldts';

/** Returns the registered domain of an address: a site has one domain, with any number of host names. */
export function findRegisteredDomain(url: string): string {
  return getDomain(url) ?? (URL.canParse(url) ? new URL(url).hostname : '');
}
