import { isBlock } from '#core/base/json.ts';
import { askedFor, type Draft } from '../draft.ts';
import { valueName } from '../placeholders.ts';
import { at, entriesAt, listAt, textAt } from '../reading.ts';
import { resolved } from './example.ts';
import { FIRST_WAS_TAKEN, SENT_WITHOUT_LOGIN } from '../notes.ts';

export interface Access {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly string[];
}

/** Returns the credentials of an operation: its first security requirement, with secrets that Holdfast asks for. */
export function accessOf(draft: Draft, document: unknown, operation: unknown, place: string): Access {
  const security = at(operation, 'security') ?? at(document, 'security');
  const [first] = Array.isArray(security) ? security : [];
  const headers: [string, string][] = [];
  const query: [string, string][] = [];
  const cookies: string[] = [];
  for (const name of Object.keys(isBlock(first) ? first : {})) {
    const scheme = resolved(document, at(document, 'components', 'securitySchemes', name));
    const type = textAt(scheme, 'type') ?? '';
    const http = (textAt(scheme, 'scheme') ?? '').toLowerCase();
    const secret = (kind: string, what: string): string => {
      const label = isOnlyOne(document, scheme) ? kind : `${kind}_${valueName(name).replaceAll('-', '_').toUpperCase()}`;
      draft.assumed(
        `components.securitySchemes.${name.slice(0, 60)}`,
        'The server requires authentication.',
        `${askedFor(label)} The value is ${what}.`,
      );
      return `{{${draft.variable(label.toLowerCase(), draft.asked(label))}}}`;
    };
    if (type === 'http' && http === 'basic') headers.push(['Authorization', `Basic ${secret('BASIC_LOGIN', 'name:password in Base64')}`]);
    else if ((type === 'http' && http === 'bearer') || type === 'oauth2' || type === 'openIdConnect')
      headers.push(['Authorization', `Bearer ${secret('ACCESS_TOKEN', 'a token')}`]);
    else if (type === 'apiKey') {
      const key = textAt(scheme, 'name') ?? 'X-Api-Key';
      const where = textAt(scheme, 'in');
      const value = secret('API_KEY', 'the key');
      if (where === 'query') query.push([key.slice(0, 200), value]);
      else if (where === 'cookie') cookies.push(`${key}=${value}`);
      else headers.push([key, value]);
    } else
      draft.leftOut(
        `${place}.security`,
        `The login “${name.slice(0, 60)}” (${type.slice(0, 20)} ${http.slice(0, 20)}) has no equivalent.`,
        SENT_WITHOUT_LOGIN,
      );
  }
  if (listAt(operation, 'security').length > 1) draft.leftOut(`${place}.security`, 'There are other ways to log in.', FIRST_WAS_TAKEN);
  return { headers, query, cookies };
}

/** Returns whether the document has no other scheme of this type; otherwise each scheme needs its own variable. */
function isOnlyOne(document: unknown, scheme: unknown): boolean {
  const typeOf = (one: unknown): string => {
    const type = `${textAt(one, 'type') ?? ''} ${textAt(one, 'scheme') ?? ''}`.toLowerCase();
    return /^(?:oauth2|openidconnect|http bearer)/.test(type) ? 'token' : type;
  };
  return (
    entriesAt(document, 'components', 'securitySchemes').filter(([, one]) => typeOf(resolved(document, one)) === typeOf(scheme)).length < 2
  );
}
