import { isRedirect, leadsToLogin } from '#core/work/journey/loginRedirect.ts';

export interface Redirect {
  readonly location: string;
  readonly looksLikeLogin: boolean;
}

/** Where an answer sends the visitor, and whether that looks like a login. null when the answer is no redirect. */
export function redirectOf(status: number, location: string | undefined, from: URL): Redirect | null {
  if (!isRedirect(status) || !location) return null;
  if (!URL.canParse(location, from.href)) return { location, looksLikeLogin: false };
  const to = new URL(location, from);
  return { location: to.href, looksLikeLogin: leadsToLogin(from, to) };
}
