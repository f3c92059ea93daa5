import { databaseRightsSchema, privilegesQuery } from '#core/presets/database.ts';
import { connectFrom } from '#backend/monitors/runMonitors.ts';
import { askPostgres } from '#backend/monitors/services/postgres.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { listHiddenReferences } from '#core/plan/hiddenText.ts';
import { isSameOrigin } from '#core/base/origins.ts';
import { quote } from '#core/base/text.ts';
import type { Target, TextOrSecret } from '#core/plan/schema/plan.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import type { ConnectionSettings } from '#core/plan/url.ts';
import type { Redaction } from '#backend/redaction.ts';
import { resolveClientCertificate, resolveTarget } from '../resolveJob.ts';
import type { Secrets } from '../secrets.ts';
import { requireUsable } from './certificates.ts';
import { login } from './login.ts';
import { probe } from './probe.ts';
import type { TargetConnection } from './targetConnection.ts';
import { ENTER_FULL_ADDRESS } from '#core/plan/schema/url.ts';

const PROBE_TIMEOUT_MS = 15_000;
const LOGIN_TIMEOUT_MS = 20_000;

export interface TargetParts {
  readonly secrets: Secrets;
  readonly redaction: Redaction;
  readonly version: string;
}

/** Creates the calls that send single requests to a target, outside of any measurement. */
export function createTargetCalls({
  secrets,
  redaction,
  version,
}: TargetParts): Pick<CallHandlers, 'targets.probe' | 'targets.login' | 'databases.rights' | 'secrets.keep'> {
  const userAgent = `Holdfast/${version} (single request)`;
  return {
    'targets.probe': async ({ target, path, tls, connections }) => {
      const values = await secrets.resolve([...listReferences(target), ...clientCertificateReferences(tls)]);
      const { url, headers } = resolveTarget(target, values);
      return probe({
        url: urlOf(url, path),
        headers: { 'User-Agent': userAgent, Accept: '*/*', ...headers },
        connection: getTargetConnection({ tls, connections }, values),
        timeoutMs: PROBE_TIMEOUT_MS,
      });
    },
    'targets.login': async ({ url, username, password, tls, connections }) => {
      redaction.add(password);
      const connection = getTargetConnection({ tls, connections }, await secrets.resolve(clientCertificateReferences(tls)));
      const loggedIn = await login({ url: urlOf(url, ''), username, password, connection, userAgent, timeoutMs: LOGIN_TIMEOUT_MS });
      loggedIn.cookieValues.forEach((value) => redaction.add(value));
      const { cookieHeader, cookieNames, landedOn, movedTo, explanation } = loggedIn;
      return { cookie: { secret: secrets.keep(cookieHeader) }, cookieNames, landedOn, movedTo, explanation };
    },
    'databases.rights': async ({ connection, counted }) => {
      const values = await secrets.resolve(typeof connection === 'object' ? [connection.secret] : []);
      const address = typeof connection === 'string' ? connection : (values.get(connection.secret) ?? '');
      redaction.add(address);
      const [response] = await askPostgres(address, { connect: (place) => connectFrom(null, place) }, privilegesQuery(counted));
      return databaseRightsSchema.parse(response);
    },
    'secrets.keep': ({ value }) => ({ secret: secrets.keep(value) }),
  };
}

/** Returns the options of connections to a target. Throws the problem of an unusable client certificate. */
export function getTargetConnection({ tls, connections }: ConnectionSettings, values: ReadonlyMap<string, string>): TargetConnection {
  const clientCertificate = resolveClientCertificate(tls, values);
  if (clientCertificate !== null) requireUsable(clientCertificate, Date.now());
  return { tls, connections, clientCertificate };
}

export function listReferences({ url, headers, cookie }: Target): string[] {
  const texts: (TextOrSecret | undefined)[] = [...Object.values(headers), cookie];
  return [...texts.flatMap((text) => (typeof text === 'object' ? [text.secret] : [])), ...listHiddenReferences({ url, headers, cookie })];
}

function urlOf(base: string, path: string): URL {
  if (URL.canParse(path, base)) {
    const url = new URL(path, base);
    // A step must stay at its target, because cookie and headers are meant only for that server.
    if (isSameOrigin(new URL(base), url)) return url;
  }
  throw new HoldfastError({
    code: 'BAD_URL',
    message: `${quote(path === '' ? base : `${base} ${path}`)} is not the address of a web page.`,
    hint: ENTER_FULL_ADDRESS,
  });
}
