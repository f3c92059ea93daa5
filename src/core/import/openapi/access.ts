import { askedFor, type Draft } from '../draft.ts';
import { valueName } from '../placeholders.ts';
import { at, entriesAt, listAt, textAt } from '../reading.ts';
import type { Pair } from '../requestParts.ts';
import { resolved } from './example.ts';
import { FIRST_WAS_TAKEN, SENT_WITHOUT_LOGIN } from '../notes.ts';

export interface Access {
  readonly headers: readonly Pair[];
  readonly query: readonly Pair[];
  readonly cookies: readonly string[];
}

/** Returns the credentials of an operation: its first security requirement, with secrets that Holdfast asks for. */
export function accessOf(draft: Draft, document: unknown, operation: unknown, place: string): Access {
  const security = at(operation, 'security') ?? at(document, 'security');
  const headers: Pair[] = [];
  const query: Pair[] = [];
  const cookies: string[] = [];
  for (const [name] of entriesAt(security, 0)) {
    const scheme = resolved(document, at(document, 'components', 'securitySchemes', name));
    const type = textAt(scheme, 'type') ?? '';
    const http = (textAt(scheme, 'scheme') ?? '').toLowerCase();
    const secret = (kind: string, what: string): string => {
      const label = isOnlyOne(document, scheme) ? kind : `${kind}_${valueName(name).replaceAll('-', '_').toUpperCase()}`;
      const where = `components.securitySchemes.${name.slice(0, 60)}`;
      draft.assumed(where, 'The server requires authentication.', `${askedFor(label)} The value is ${what}.`);
      return `{{${draft.variable(label.toLowerCase(), draft.asked(label))}}}`;
    };
    if (type === 'http' && http === 'basic') headers.push(['Authorization', `Basic ${secret('BASIC_LOGIN', 'name:password in Base64')}`]);
    else if (isToken(type, http)) headers.push(['Authorization', `Bearer ${secret('ACCESS_TOKEN', 'a token')}`]);
    else if (type === 'apiKey') {
      const key = textAt(scheme, 'name') ?? 'X-Api-Key';
      const where = textAt(scheme, 'in');
      const value = secret('API_KEY', 'the key');
      if (where === 'query') query.push([key.slice(0, 200), value]);
      else if (where === 'cookie') cookies.push(`${key}=${value}`);
      else headers.push([key, value]);
    } else {
      const what = `The login “${name.slice(0, 60)}” (${type.slice(0, 20)} ${http.slice(0, 20)}) has no equivalent.`;
      draft.leftOut(`${place}.security`, what, SENT_WITHOUT_LOGIN);
    }
  }
  if (listAt(operation, 'security').length > 1) draft.leftOut(`${place}.security`, 'There are other ways to log in.', FIRST_WAS_TAKEN);
  return { headers, query, cookies };
}

function isToken(type: string, http: string): boolean {
  return type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && http === 'bearer');
}

/** Returns whether the document has no other scheme of this type; otherwise each scheme needs its own variable. */
function isOnlyOne(document: unknown, scheme: unknown): boolean {
  const typeOf = (one: unknown): string => {
    const [type, http] = [textAt(one, 'type') ?? '', (textAt(one, 'scheme') ?? '').toLowerCase()];
    return isToken(type, http) ? 'token' : `${type} ${http}`;
  };
  const schemes = entriesAt(document, 'components', 'securitySchemes').map(([, one]) => typeOf(resolved(document, one)));
  return schemes.filter((type) => type === typeOf(scheme)).length < 2;
}
