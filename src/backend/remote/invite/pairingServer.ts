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
import { isSameSecret, pairingProof } from '#engine/pairingProof.ts';
import { readOneLine } from '#engine/readOneLine.ts';
import { createOwnCertificate } from './certificate.ts';
import { listeningAddress } from './ownAddresses.ts';

/** Time for the handshake, and again for the proof. */
const PAIRING_MS = 5_000;
/** Maximum number of connections that have not proved anything. Further ones are closed at once. */
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
  /** Takes over a connection whose other end knows the code. */
  onPaired(socket: TLSSocket): void;
  onWrongCode(): void;
  /** Called for a connection of a program that does not speak this protocol. */
  onStranger(): void;
}

/** Accepts connections of invited computers. A program that does not prove that it knows the code gets nothing but a refusal. */
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

  /** Accepts no further connection, and closes those that have proved nothing. */
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

/** Reads a line of an invited computer; null for anything else. */
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
