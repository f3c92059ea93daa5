import { isIP } from 'node:net';
import type { ClientCertificate } from '#core/plan/certificates.ts';
import type { Way } from '#core/plan/url.ts';

/** How single requests reach a target: the way the load does, with the secrets filled in. */
export interface Route extends Way {
  /** null when there is none, or its secrets were not asked for. */
  readonly clientCertificate: ClientCertificate | null;
}

/** Verified against the public authorities, over the network, without any certificate. */
export const USUAL_ROUTE: Route = { tls: { verify: true }, connections: {}, clientCertificate: null };

/** What Node calls whom to trust, which name to ask for and what to show. */
export function tlsOptions({ tls, clientCertificate: own }: Route): {
  ca?: string;
  servername?: string;
  cert?: string;
  key?: string;
  passphrase?: string;
} {
  return {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
    ...(own === null ? {} : { cert: own.certificate, key: own.key }),
    ...(own === null || own.passphrase === null ? {} : { passphrase: own.passphrase }),
  };
}

/** Addresses of this machine that can reach `host`: those of its kind where it is an address itself, one of each kind for a name. */
export function localAddressesFor({ localAddresses = [] }: Way['connections'], host: string): string[] {
  const kind = isIP(host);
  if (kind !== 0) return localAddresses.filter((local) => isIP(local) === kind);
  return [4, 6].flatMap((family) => localAddresses.find((local) => isIP(local) === family) ?? []);
}

/** `URL.hostname` without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replaceAll(/[[\]]/g, '');
}
