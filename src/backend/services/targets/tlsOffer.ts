import type { ClientCertificate } from '#core/plan/certificates.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listTargets } from '#core/plan/url.ts';
import type { TlsOffer } from '#core/result/tlsOffer.ts';
import { BROWSER_PROTOCOLS, connectTls, type TargetConnection } from './targetConnection.ts';

/** Maximum time to wait for the session ticket. TLS 1.3 sends the ticket after the handshake, with the first bytes from the server. */
const MAX_SESSION_MS = 500;

/** Time limit of each of at most two connections. */
const CONNECTION_LIMIT_MS = 3_000;
/** Maximum number of servers that are asked, because the others are usually of the same kind. */
const MAX_SERVERS = 4;

interface AgreedSession extends Omit<TlsOffer, 'origin' | 'resumes'> {
  readonly session: Buffer | null;
  readonly isResumed: boolean;
}

/** Runs {@link askTlsOffer} for the https targets of a plan. Omits servers that cannot be reached, and targets behind a Unix socket. */
export async function askTlsOffers(
  plan: Pick<Plan, 'targets' | 'namedTargets' | 'tls' | 'connections'>,
  clientCertificate: ClientCertificate | null,
): Promise<TlsOffer[]> {
  const { tls, connections } = plan;
  if (connections.socketPath !== undefined) return [];
  const origins = [...new Set(listTargets(plan).map(({ url }) => new URL(url).origin))].slice(0, MAX_SERVERS);
  const connection = { tls, connections, clientCertificate };
  const offers = await Promise.all(origins.map((origin) => askTlsOffer(new URL(origin), connection, CONNECTION_LIMIT_MS)));
  return offers.filter((offer) => offer !== null);
}

/**
 * Finds what an https server agrees on with a client that offers what browsers offer. Opens two connections, one after the other, and sends
 * no request. Returns null if the address is not https or a connection cannot be opened within its time limit. Never throws.
 */
async function askTlsOffer(url: URL, connection: TargetConnection, maxMs: number): Promise<TlsOffer | null> {
  if (url.protocol !== 'https:') return null;
  const first = await agreeOnSession(url, connection, null, maxMs);
  if (first === null) return null;
  const { session, isResumed: _isResumed, ...offer } = first;
  const second = session === null ? null : await agreeOnSession(url, connection, session, maxMs);
  return { origin: url.origin, ...offer, resumes: second?.isResumed ?? false };
}

function agreeOnSession(url: URL, connection: TargetConnection, session: Buffer | null, maxMs: number): Promise<AgreedSession | null> {
  return new Promise((resolve) => {
    // Any certificate is accepted, because no request is sent and another check judges the certificate.
    const offered = { ALPNProtocols: BROWSER_PROTOCOLS, rejectUnauthorized: false };
    const socket = connectTls(url, connection, { ...offered, ...(session === null ? {} : { session }) });
    let agreedSession: AgreedSession | null = null;
    const settle = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(agreedSession);
    };
    let timer = setTimeout(settle, maxMs);
    const takeSession = (issued: Buffer | null): void => {
      const { alpnProtocol } = socket;
      const { publicKey } = socket.getPeerX509Certificate() ?? {};
      agreedSession = {
        protocol: alpnProtocol === 'h2' || alpnProtocol === 'http/1.1' ? alpnProtocol : null,
        version: socket.getProtocol() ?? '',
        cipher: socket.getCipher().standardName,
        key:
          publicKey?.asymmetricKeyType === undefined
            ? null
            : { kind: publicKey.asymmetricKeyType, bits: publicKey.asymmetricKeyDetails?.modulusLength ?? null },
        session: issued,
        isResumed: socket.isSessionReused(),
      };
    };
    socket.once('secureConnect', () => {
      takeSession(null);
      // It is known now whether the session was resumed. Whether the server sends a ticket is known only when a ticket arrives.
      if (session !== null) return settle();
      clearTimeout(timer);
      timer = setTimeout(settle, MAX_SESSION_MS);
    });
    socket.on('session', (issued: Buffer) => {
      if (agreedSession === null || socket.destroyed) return;
      takeSession(issued);
      settle();
    });
    socket.once('close', settle);
    socket.on('error', () => {});
    socket.resume();
  });
}
