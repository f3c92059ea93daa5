import type { CheckCode } from './errorTexts.ts';
import type { BodyCheck } from '#core/plan/schema/step.ts';
import { responseErrors } from '../pages/responseErrors.ts';
import { asksForPassword, findLoginForm } from '../pages/loginForm.ts';

interface PageFault {
  readonly code: CheckCode;
  readonly label: string;
}

export type PageWishes = Pick<Extract<BodyCheck, { kind: 'page' }>, 'mayHaveLogin' | 'mayBeOther' | 'withoutErrors'>;

/**
 * Titles of pages that stand in for the site: errors, maintenance, queues and busy servers. A pattern must match a whole part between
 * separators, because lesson pages mention errors, too.
 */
const ERROR_TITLES = [
  /^([45]\d\d|(http )?(status|error)( code)?:? ?[45]\d\d)\b/i,
  /^([a-z]+ )?error( \(?[45]\d\d\)?)?( occurred)?[!.]?$/i,
  /^(internal|unexpected|fatal|application|database) (server )?error\b/i,
  /^(page |site |file )?(not found|unavailable|temporarily unavailable|forbidden)[!.]?$/i,
  /^(bad (request|gateway)|gateway time-?out|service (temporarily )?unavailable|access denied|permission denied|too many requests)[!.]?$/i,
  /^(something went wrong|we.re sorry|down for maintenance|under maintenance)\b/i,
  /^(we( will|.ll) be (right )?back|(be|we.re) (right )?back (soon|shortly))\b/i,
  /^((scheduled|planned) maintenance|maintenance( mode)?|wartung(sarbeiten|smodus)?|maintenance en cours)[!.]?$/i,
  /^(the |this |our )?(web ?)?(site|server|service|page) (is )?((currently|temporarily) (offline|down|closed|unavailable)|(down|closed) for maintenance|(too )?(busy|overloaded))[!.]?$/i,
  /^(waiting room|just a moment(\.{3}|…)?|attention required!?|you are (now )?in (the queue|line))[!.]?$/i,
  /^(fehler|erreur|errore|fout|erro|interner serverfehler|seite nicht gefunden|page (introuvable|non trouvée))( [45]\d\d)?[!.]?$/i,
];
const TITLE_SEPARATOR_PATTERN = /\s+[|–—·•:-]\s+|\s*[|–—·•]\s*/;
const HTML_PATTERN = /<(!doctype\s+html|html|head|body|title|h1)\b/i;
const TITLE_PATTERN = /<title\b[^<>]{0,300}>([^<]{0,300})/i;
const HEADING_PATTERN = /<h1\b[^<>]{0,300}>\s*([^<]{0,300})/i;
const ADDRESS = new URL('http://localhost/');

/** Returns the reason why a successful response is not the expected page; null if nothing indicates that. */
export function pageFault(html: string, { mayHaveLogin, mayBeOther, withoutErrors }: PageWishes): PageFault | null {
  const [message] = withoutErrors ? responseErrors(html) : [];
  const shown = message === undefined ? null : ({ code: 'SHOWS_ERROR', label: message } as const);
  if (!HTML_PATTERN.test(html)) return mayBeOther === true ? shown : { code: 'NO_PAGE', label: 'HTML' };
  const texts = [TITLE_PATTERN, HEADING_PATTERN].map((pattern) => (pattern.exec(html)?.[1] ?? '').replaceAll(/\s+/g, ' ').trim());
  for (const text of texts) {
    const found = text.split(TITLE_SEPARATOR_PATTERN).find((part) => ERROR_TITLES.some((title) => title.test(part)));
    if (found !== undefined) return { code: 'ERROR_PAGE', label: `“${found}”` };
  }
  if (!mayHaveLogin && asksForPassword(html) && findLoginForm(html, ADDRESS) !== null)
    return { code: 'LOGIN_FORM', label: `“${texts.find((text) => text !== '') ?? ''}”` };
  return shown;
}
