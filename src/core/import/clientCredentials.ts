import { type Draft } from './draft.ts';
import { readAddress } from './address.ts';
import { type Login, type Pair, stepOf } from './requestParts.ts';

/** A request for a token by OAuth 2.0 client credentials (RFC 6749, 4.4), as plan text. */
export interface TokenRequest {
  readonly url: string;
  readonly client: Login;
  readonly scope: string;
  /** Whether id and secret of the client are sent as form fields instead of by HTTP Basic. */
  readonly isInBody?: boolean;
}

/**
 * Adds the request for a token, only once for equal requests. Each user sends it before the step that needs the token, and again after a
 * 401. Returns the placeholder of the token; null if the address is invalid, or if the plan has no room. `main`: the origin of the target.
 */
export function addTokenRequest(draft: Draft, request: TokenRequest, main: string, location: string): string | null {
  const key = JSON.stringify(request);
  const known = draft.tokens.get(key);
  if (known !== undefined) return known;
  const { url, client, scope, isInBody = false } = request;
  const address = URL.canParse(url, main) ? readAddress(new URL(url, main).href) : null;
  const target = address === null ? null : draft.targetAt(address.origin, main);
  if (address === null || target === null || draft.isFullFor('token', location)) return null;
  const tokenName = draft.captureName('access_token');
  const fields: readonly Pair[] = [
    ['grant_type', 'client_credentials'],
    ...(scope === '' ? [] : [['scope', scope] as const]),
    ...(isInBody ? [['client_id', client.user] as const, ['client_secret', client.password] as const] : []),
  ];
  const step = stepOf(
    draft,
    {
      name: 'token',
      method: 'POST',
      target,
      path: address.path,
      headers: [],
      login: isInBody ? null : client,
      payload: { kind: 'form', fields },
      captures: [{ from: 'json', as: tokenName, path: '$.access_token' }],
      once: true,
    },
    location,
  );
  draft.addStep({ ...step, renew: { onStatus: [401] } }, location);
  draft.noteChanged(
    location,
    'A token is fetched by OAuth 2, with client credentials.',
    'Each user of the plan fetches one, and another after a response with 401.',
  );
  const placeholder = `{{${tokenName}}}`;
  draft.tokens.set(key, placeholder);
  return placeholder;
}
