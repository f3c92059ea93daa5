import { readInvitation } from '#contract/agent/invitation.ts';
import type { Proposal } from '#core/review/proposalSchema.ts';
import { AgentRelay } from './agentRelay.ts';
import { connectToInviter, sendToInviter } from './connectToInviter.ts';
import { declined, inviterLost, unreadableInvitation } from './problems.ts';

export interface JoinOptions {
  /** Path of the agent's program. */
  readonly agentFile: string;
  /** Asks the person of this computer. The signal aborts when the inviting computer is gone. */
  agree(proposal: Proposal, signal: AbortSignal): Promise<boolean>;
  /** Called when the person has agreed, and this computer waits for the run. */
  onWaiting(): void;
  /** Called when the run begins, and once a second with the number of requests that this computer has sent. */
  onSent(requests: number): void;
  /** Leaves the run and stops the load of this computer. */
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
