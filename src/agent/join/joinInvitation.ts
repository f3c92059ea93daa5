import { readInvitation, type Invitation } from '#contract/agent/invitation.ts';
import type { Proposal } from '#core/review/proposalSchema.ts';
import { AgentRelay } from './agentRelay.ts';
import { declined, inviterLost, unreadableInvitation, invitationRefused, inviterUnreachable, otherProgram } from './problems.ts';
import { connect, type TLSSocket } from 'node:tls';
import { parseJson } from '#core/base/json.ts';
import {
  type LineToInvited,
  type LineToInviter,
  lineToInvitedSchema,
  MAX_PAIRING_BYTES,
  PAIRING_PROTOCOL,
} from '#contract/agent/pairing.ts';
import { certificateFingerprint, isSameSecret, pairingProof } from '#engine/pairingProof.ts';
import { readOneLine } from '#engine/lineReader.ts';

export interface JoinOptions {
  /** Path of the agent's program. */
  readonly agentFile: string;
  /** Asks the person of this computer. The signal aborts when the inviting computer is gone. */
  agree(proposal: Proposal, signal: AbortSignal): Promise<boolean>;
  /** Called when the person has agreed, and this computer waits for the run. */
  onWaiting(): void;
  /** Called when the run begins, and then once a second, with the number of requests that this computer has sent. */
  onSent(requests: number): void;
  /** Makes this computer leave the run and stop its load when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Joins the run of another computer as a load generator, from the pasted line to the end of the run. Nothing is sent to a target before the
 * person of this computer has agreed to it. Throws `INVITATION_UNREADABLE`, `CANCELLED`, and the errors of connecting and of the run.
 */
export async function joinInvitation(text: string, options: JoinOptions): Promise<void> {
  const invitation = readInvitation(text);
  if (invitation === null) throw unreadableInvitation();
  const { signal, agentFile } = options;
  const { socket, proposal } = await connectToInviter(invitation, signal);
  const gone = new AbortController();
  const lose = (): void => gone.abort(inviterLost('the connection ended', false));
  const leave = (): void => void socket.destroy();
  signal.addEventListener('abort', leave, { once: true });
  socket.on('close', lose).on('data', lose).resume();
  try {
    const isAgreed = await Promise.race([options.agree(proposal, AbortSignal.any([gone.signal, signal])), rejection(gone.signal)]);
    if (!isAgreed) {
      sendToInviter(socket, { type: 'declined' });
      throw declined();
    }
    socket.off('close', lose).off('data', lose).pause();
    sendToInviter(socket, { type: 'agreed' });
    options.onWaiting();
    await new AgentRelay(socket, { agentFile, agreed: proposal, onSent: options.onSent }).done;
  } catch (thrown) {
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', leave);
    socket.destroySoon();
  }
}

/** Rejects with the reason when the signal aborts. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const CONNECT_MS = 10_000;
const REPLY_MS = 10_000;

/** A connection on which both sides have proved that they know the code. */
interface PairedInviter {
  readonly socket: TLSSocket;
  readonly proposal: Proposal;
}

/**
 * Connects to the inviting computer. Sends nothing before the certificate's fingerprint is verified, and never sends the code itself.
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

function sendToInviter(socket: TLSSocket, line: LineToInviter): void {
  socket.write(`${JSON.stringify(line)}\n`);
}

async function connectTls(invitation: Invitation, signal: AbortSignal): Promise<TLSSocket> {
  const { host, port, fingerprint } = invitation;
  // The certificate is signed by no authority. Instead, its fingerprint is compared before anything is sent.
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
