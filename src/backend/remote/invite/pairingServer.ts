import { once } from 'node:events';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { parseJson } from '#core/base/json.ts';
import { HoldfastError } from '#core/base/errors.ts';
import {
  type LineToInvited,
  type LineToInviter,
  lineToInviterSchema,
  MAX_PAIRING_BYTES,
  PAIRING_PROTOCOL,
} from '#contract/agent/pairing.ts';
import { isSameSecret, pairingProof, certificateFingerprint } from '#engine/pairingProof.ts';
import { readOneLine } from '#engine/lineReader.ts';
import { listeningAddress } from './ownAddresses.ts';
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Time for the handshake, and again for the proof. */
const PAIRING_MS = 5_000;
/** Maximum number of connections that have not yet proved that they know the code. Further ones are closed at once. */
const MAX_UNPROVED = 8;
/** Wrong codes after which the invitation ends. With 60 bits, guessing succeeds with a probability of 5 / 2^60. */
export const MAX_WRONG_CODES = 5;

export interface PairingParts {
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  readonly code: string;
  readonly computers: number;
  /** Whether all invited computers have joined. */
  isFull(): boolean;
  /** Called with a connection whose other end has proved that it knows the code. The receiver owns the connection. */
  onPaired(socket: TLSSocket): void;
  onWrongCode(): void;
  /** Called for a connection of a program that does not speak this protocol. */
  onStranger(): void;
}

/** Accepts connections of invited computers. A program that does not prove that it knows the code receives only a refusal. */
export class PairingServer {
  readonly fingerprint: string;
  private readonly parts: PairingParts;
  private readonly server: Server;
  private readonly unproved = new Set<TLSSocket>();

  private constructor(parts: PairingParts) {
    const { cert, key, fingerprint } = createOwnCertificate(Date.now());
    this.parts = parts;
    this.fingerprint = fingerprint;
    this.server = createServer({ cert, key, minVersion: 'TLSv1.3', handshakeTimeout: PAIRING_MS });
    this.server.maxConnections = parts.computers + MAX_UNPROVED;
    this.server.on('tlsClientError', () => parts.onStranger());
    this.server.on('secureConnection', (socket) => void this.receive(socket));
  }

  /** Listens. Throws `INVITATION_PORT` if the address or the port cannot be used. */
  static async open(parts: PairingParts): Promise<PairingServer> {
    const opened = new PairingServer(parts);
    const { server } = opened;
    try {
      const address = listeningAddress(parts.host);
      server.listen({ port: parts.port, ...(address === undefined ? {} : { host: address }) });
      await once(server, 'listening');
    } catch (thrown) {
      throw portError(parts, thrown);
    }
    server.on('error', () => {});
    return opened;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Accepts no further connection, and closes those that have not proved that they know the code. */
  close(): void {
    this.server.close();
    for (const socket of this.unproved) socket.destroy();
  }

  private async receive(socket: TLSSocket): Promise<void> {
    const { code, isFull, onPaired, onStranger, onWrongCode } = this.parts;
    socket.on('error', () => {});
    this.unproved.add(socket);
    const line = await readLine(socket);
    this.unproved.delete(socket);
    if (!this.server.listening || socket.destroyed) return void socket.destroy();
    if (line?.type !== 'pair') {
      onStranger();
      socket.destroy();
    } else if (line.protocol !== PAIRING_PROTOCOL) refuse(socket, 'protocol');
    else if (!isSameSecret(line.proof, pairingProof(socket, code, 'invited'))) {
      refuse(socket, 'code');
      onWrongCode();
    } else if (isFull()) refuse(socket, 'full');
    else onPaired(socket);
  }
}

/** Reads one line from an invited computer. Resolves to null if the line is missing, late or invalid. */
export async function readLine(socket: TLSSocket, timeoutMs = PAIRING_MS): Promise<LineToInviter | null> {
  try {
    return lineToInviterSchema.parse(parseJson(await readOneLine(socket, { maxBytes: MAX_PAIRING_BYTES.toInviter, timeoutMs })));
  } catch {
    return null;
  }
}

export function sendToInvited(socket: TLSSocket, line: LineToInvited): void {
  socket.write(`${JSON.stringify(line)}\n`);
}

function refuse(socket: TLSSocket, reason: Extract<LineToInvited, { type: 'refused' }>['reason']): void {
  sendToInvited(socket, { type: 'refused', reason });
  socket.destroySoon();
}

function portError({ host, port }: PairingParts, cause: unknown): HoldfastError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new HoldfastError(
    {
      code: 'INVITATION_PORT',
      message: `No connections can be accepted at ${host}, port ${port === 0 ? 'of any number' : port}: ${why}.`,
      hint: 'Choose another port, or leave it out to get a free one. Check that the address is one of this computer.',
    },
    { cause },
  );
}

/** A self-signed certificate with its key, in PEM, and its SHA-256 fingerprint in base64url. */
interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
  readonly fingerprint: string;
}

const TAG = { integer: 0x02, bits: 0x03, oid: 0x06, utf8: 0x0c, sequence: 0x30, set: 0x31, generalizedTime: 0x18, version: 0xa0 } as const;
/** The object identifiers 1.2.840.10045.4.3.2 (ecdsa-with-SHA256) and 2.5.4.3 (commonName). */
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const SERIAL_BYTES = 16;
/** Tolerance for a wrong clock of the other computer. Trust depends on the fingerprint, not on the time. */
const VALID_MS = 86_400_000;

/** Creates a self-signed certificate (X.509, RFC 5280) with a new key on the curve P-256. */
export function createOwnCertificate(nowMs: number): OwnCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(TAG.sequence, der(TAG.oid, ECDSA_SHA256));
  const name = der(TAG.sequence, der(TAG.set, der(TAG.sequence, der(TAG.oid, COMMON_NAME), der(TAG.utf8, Buffer.from('Holdfast')))));
  // The first byte keeps the number positive and of this length.
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(SERIAL_BYTES - 1)]);
  const toSign = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serial),
    algorithm,
    name,
    der(TAG.sequence, time(nowMs - VALID_MS), time(nowMs + VALID_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const certificate = der(TAG.sequence, toSign, algorithm, der(TAG.bits, Buffer.from([0]), sign('sha256', toSign, privateKey)));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: certificateFingerprint(certificate),
  };
}

function time(ms: number): Buffer {
  return der(TAG.generalizedTime, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`));
}

/** Encodes a value with its tag and its length (X.690, 8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}
