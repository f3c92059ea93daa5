import { connect as connectPlain, isIP, type NetConnectOpts, type OnReadOpts, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect as connectTls,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  TLSSocket,
} from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { HoldfastError } from '#core/base/errors.ts';
import { findPinnedAddresses } from '#core/plan/pins.ts';
import type { Protocol } from '#core/plan/schema/plan.ts';
import type { Clock } from '../clock.ts';
import { Addresses } from './addresses.ts';
import { splitCertificates, type ClientCertificate } from '#core/plan/certificates.ts';

/** Which certificates are accepted, and which one the client presents. Texts are PEM. */
export interface TlsSettings {
  /** Whether certificates are verified. Only at the user's explicit request is any certificate accepted. */
  readonly verifies: boolean;
  /** Trusted certificates of a private authority, which replace Node's defaults; null for the defaults. */
  readonly ca: readonly string[] | null;
  /** Server name for SNI and verification; null for the host name of the target. */
  readonly serverName: string | null;
  readonly clientCertificate: Readonly<ClientCertificate> | null;
  /** Share of the connections that resume an earlier session; 0 if left out. */
  readonly resume?: number;
}

/**
 * Returns the TLS settings of all connections. Reading certificates takes milliseconds, so this is called only once per endpoint.
 * @throws {HoldfastError} `CERTIFICATE_UNREADABLE` for certificates or keys that cannot be used.
 */
function findOrCreateContext(tls: TlsSettings): SecureContext {
  const { ca, clientCertificate: own } = tls;
  try {
    if (ca !== null) for (const text of ca) requireCertificates(text);
    return createSecureContext({
      ...(ca === null ? {} : { ca: [...ca] }),
      ...(own === null ? {} : { cert: own.certificate, key: own.key, ...(own.passphrase === null ? {} : { passphrase: own.passphrase }) }),
    });
  } catch (error) {
    throw unreadableError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Checks that all certificates are readable. The TLS library silently skips unreadable parts of an authority and would then trust nobody.
 * @throws {Error} for a text without certificates, or with an unreadable one.
 */
function requireCertificates(text: string): void {
  const blocks = splitCertificates(text);
  if (blocks.length === 0) throw new Error('it has no certificate in PEM format');
  for (const block of blocks) parseCertificate(block);
}

/** @throws the error of the TLS library for a damaged certificate. */
function parseCertificate(text: string): X509Certificate {
  return new X509Certificate(text);
}

function unreadableError(reason: string): HoldfastError {
  return new HoldfastError({
    code: 'CERTIFICATE_UNREADABLE',
    message: `A certificate or key of this plan cannot be used: ${reason}`,
    hint: 'Use the text of the PEM file, which begins with “-----BEGIN CERTIFICATE-----”. A key must belong to its certificate.',
  });
}

/** Maximum number of TLS sessions that are kept; each takes about 2 kB. */
const MAX_SESSIONS = 64;

/** Error code if the plan requires HTTP/2 and the server did not accept it. */
export const NO_HTTP2 = 'NO_HTTP2';

export interface EndpointSettings {
  /** URL that begins with http: or https:. It determines TLS, host and port. */
  readonly targetUrl: string;
  readonly tls: TlsSettings;
  /** Path of a Unix socket to connect to instead of host and port; null for TCP. */
  readonly socketPath: string | null;
  /** Local addresses to connect from, in turn; if there are none, the system chooses. */
  readonly localAddresses: readonly string[];
  /** Addresses of the host in the plan; if left out, the system looks up the host name. */
  readonly resolve?: readonly string[] | undefined;
  /** Protocol of the connections; HTTP/1.1 if left out. */
  readonly protocol?: Protocol;
}

/** Destination and settings of the connections to one target. It is created once, because reading certificates takes milliseconds. */
export class Endpoint {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly socketPath: string | null;
  /** Address families (4, 6) of the local addresses; null if the system chooses the addresses. */
  readonly families: ReadonlySet<number> | null;
  private readonly settings: EndpointSettings;
  private readonly pinned: readonly string[] | null;
  private readonly context: SecureContext | null;
  private readonly serverName: string;
  private dialled = 0;
  /** Sessions of earlier connections; the newest is the last. */
  private readonly sessions: Buffer[] = [];
  /** Number of connections that should have resumed a session by now, minus the number that did. */
  private resumable = 0;

  /** @throws {HoldfastError} `CERTIFICATE_UNREADABLE` for certificates or keys that cannot be used. */
  constructor(settings: EndpointSettings) {
    const url = new URL(settings.targetUrl);
    this.settings = settings;
    this.isSecure = url.protocol === 'https:';
    this.host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    this.port = portOf(url, this.isSecure);
    this.socketPath = settings.socketPath;
    this.families = settings.localAddresses.length === 0 ? null : new Set(settings.localAddresses.map((local) => isIP(local)));
    this.serverName = settings.tls.serverName ?? this.host;
    this.pinned = findPinnedAddresses(settings.resolve, url);
    this.context = this.isSecure ? findOrCreateContext(settings.tls) : null;
  }

  createAddresses(now: Clock): Addresses {
    return new Addresses({ hostname: this.host, families: this.families, pinned: this.pinned, now });
  }

  /** Opens a socket to `address`, which is ignored for a Unix socket. */
  dial(address: string, onread: OnReadOpts): Socket {
    const options = { onread, ...this.socketOptions(address) };
    return this.context === null ? connectPlain(options) : this.dialTls(options, this.context);
  }

  private dialTls(options: object, secureContext: SecureContext): TLSSocket {
    const { serverName } = this;
    const session = this.sessionToResume();
    const socket = connectTls({
      ...(session === undefined ? {} : { session }),
      ...options,
      secureContext,
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      // The socket connects to an address, but the certificate is verified for the name of the server.
      checkServerIdentity: (_dialled: string, certificate: PeerCertificate) => checkServerIdentity(serverName, certificate),
      rejectUnauthorized: this.settings.tls.verifies,
      ALPNProtocols: [this.settings.protocol ?? 'http/1.1'],
    });
    if (this.resume > 0) socket.on('session', (issued: Buffer) => this.keepSession(issued));
    return socket;
  }

  /** Returns whether the handshake resumed the session of an earlier connection. */
  isResumed(socket: Socket): boolean {
    return socket instanceof TLSSocket && socket.isSessionReused();
  }

  private get resume(): number {
    return this.settings.tls.resume ?? 0;
  }

  /** Returns a session for the configured share of connections; undefined for the others, or if no server has issued one. */
  private sessionToResume(): Buffer | undefined {
    if (this.sessions.length === 0) return undefined;
    this.resumable += this.resume;
    if (this.resumable < 1) return undefined;
    this.resumable -= 1;
    // Browsers use the ticket of their last visit. Servers may accept each ticket only once.
    return this.sessions.length > 1 ? this.sessions.pop() : this.sessions[0];
  }

  private keepSession(issued: Buffer): void {
    this.sessions.push(issued);
    if (this.sessions.length > MAX_SESSIONS) this.sessions.shift();
  }

  /** Returns why an established connection cannot be used, as an error code, or null if it can. */
  findRefusal(socket: Socket): typeof NO_HTTP2 | null {
    const isAgreed = this.settings.protocol !== 'h2' || (socket instanceof TLSSocket && socket.alpnProtocol === 'h2');
    return isAgreed ? null : NO_HTTP2;
  }

  private socketOptions(address: string): NetConnectOpts {
    if (this.socketPath !== null) return { path: this.socketPath };
    const { localAddresses } = this.settings;
    const fitting = localAddresses.filter((local) => isIP(local) === isIP(address));
    const localAddress = fitting[this.dialled % Math.max(1, fitting.length)];
    this.dialled += 1;
    const remote = { host: address, port: this.port, noDelay: true, autoSelectFamily: false };
    return localAddress === undefined ? remote : { ...remote, localAddress };
  }
}

function portOf(url: URL, isSecure: boolean): number {
  if (url.port !== '') return Number(url.port);
  return isSecure ? 443 : 80;
}
