import { connect, type TLSSocket } from 'node:tls';
import { parseJson } from '#core/base/json.ts';
import type { Invitation } from '#contract/agent/invitation.ts';
import {
  type LineToInvited,
  type LineToInviter,
  lineToInvitedSchema,
  MAX_PAIRING_BYTES,
  PAIRING_PROTOCOL,
} from '#contract/agent/pairing.ts';
import type { Proposal } from '#core/review/proposalSchema.ts';
import { certificateFingerprint, isSameSecret, pairingProof } from '#engine/pairingProof.ts';
import { readOneLine } from '#engine/readOneLine.ts';
import { invitationRefused, inviterUnreachable, otherProgram } from './problems.ts';

const CONNECT_MS = 10_000;
const REPLY_MS = 10_000;

/** A connection on which both sides have proved that they know the code. */
export interface PairedInviter {
  readonly socket: TLSSocket;
  readonly proposal: Proposal;
}

/**
 * Connects to the inviting computer. Sends nothing before its certificate has the fingerprint of the invitation, and never the code itself.
 * Throws `INVITER_UNREACHABLE`, `INVITER_OTHER` or `INVITATION_REFUSED`.
 */
export async function connectToInviter(invitation: Invitation, signal: AbortSignal): Promise<PairedInviter> {
  const socket = await connectTls(invitation, signal);
  try {
    const proof = pairingProof(socket, invitation.code, 'invited');
    sendToInviter(socket, { type: 'pair', protocol: PAIRING_PROTOCOL, proof });
    const reply = await readReply(socket, invitation);
    if (reply.type === 'refused') throw invitationRefused(reply.reason);
    if (!isSameSecret(reply.proof, pairingProof(socket, invitation.code, 'inviter')))
      throw otherProgram(invitation, 'it does not know the code');
    return { socket, proposal: reply.proposal };
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

export function sendToInviter(socket: TLSSocket, line: LineToInviter): void {
  socket.write(`${JSON.stringify(line)}\n`);
}

async function connectTls(invitation: Invitation, signal: AbortSignal): Promise<TLSSocket> {
  const { host, port, fingerprint } = invitation;
  // No authority signs the certificate: its fingerprint is compared instead, before anything is sent.
  const socket = connect({ host, port, rejectUnauthorized: false, minVersion: 'TLSv1.3' });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isConnected = false;
  socket.on('connect', () => (isConnected = true));
  socket.on('secureConnect', () => resolve());
  socket.on('error', (error) =>
    reject(isConnected ? otherProgram(invitation, 'it does not speak TLS 1.3') : inviterUnreachable(invitation, error.message)),
  );
  socket.on('close', () => reject(otherProgram(invitation, 'it ended the connection during the handshake')));
  const late = setTimeout(
    () =>
      reject(
        isConnected
          ? otherProgram(invitation, 'it sent no reply to the handshake')
          : inviterUnreachable(invitation, `no reply in ${CONNECT_MS / 1_000} s`),
      ),
    CONNECT_MS,
  );
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await promise;
    const shown = socket.getPeerX509Certificate();
    if (shown === undefined || !isSameSecret(certificateFingerprint(shown.raw), fingerprint))
      throw otherProgram(invitation, 'its certificate has another fingerprint');
    socket.setNoDelay(true);
    return socket;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', abort);
  }
}

async function readReply(socket: TLSSocket, invitation: Invitation): Promise<LineToInvited> {
  try {
    const line = await readOneLine(socket, { maxBytes: MAX_PAIRING_BYTES.toInvited, timeoutMs: REPLY_MS });
    return lineToInvitedSchema.parse(parseJson(line));
  } catch {
    throw otherProgram(invitation, 'it does not reply as Holdfast does');
  }
}
