import { HoldfastError } from '#core/base/errors.ts';
import { INVITATION_MINUTES, type Invitation } from '#contract/agent/invitation.ts';
import type { PAIRING_REFUSALS } from '#contract/agent/pairing.ts';
import { hostAndPort } from '#core/base/hostAndPort.ts';

const NOTHING_SENT = 'This computer has sent nothing to any target.';

export function unreadableInvitation(): HoldfastError {
  return new HoldfastError({
    code: 'INVITATION_UNREADABLE',
    message: 'This is not an invitation. Nothing was connected to.',
    hint: 'Copy the whole line from the inviting computer: HOST:PORT/CODE/FINGERPRINT.',
  });
}

export function inviterUnreachable({ host, port }: Invitation, why: string): HoldfastError {
  return new HoldfastError({
    code: 'INVITER_UNREACHABLE',
    message: `Nothing accepts connections at ${hostAndPort(host, port)} (${why}). ${NOTHING_SENT}`,
    hint: `Probably the invitation has ended: after ${INVITATION_MINUTES} minutes, when its run begins, or when it is withdrawn. Ask for a new line. Otherwise, a firewall of the inviting computer blocks the port.`,
  });
}

export function otherProgram({ host, port }: Invitation, why: string): HoldfastError {
  return new HoldfastError({
    code: 'INVITER_OTHER',
    message: `The program at ${hostAndPort(host, port)} is not the one that invited: ${why}. ${NOTHING_SENT}`,
    hint: 'It did not get the code. Copy the whole line again. If the line is right, another program uses this address, or somebody is in between.',
  });
}

const REFUSALS: Readonly<Record<(typeof PAIRING_REFUSALS)[number], { readonly why: string; readonly hint: string }>> = {
  code: { why: 'the code is wrong', hint: 'Copy the line again. After 5 wrong codes, the invitation ends.' },
  full: {
    why: 'all invited computers have joined',
    hint: 'A code is for the stated number of computers, each once. Ask for a new invitation.',
  },
  protocol: { why: 'its Holdfast has another version', hint: 'Use the same version of Holdfast on both computers.' },
};

export function invitationRefused(reason: keyof typeof REFUSALS): HoldfastError {
  const { why, hint } = REFUSALS[reason];
  return new HoldfastError({ code: 'INVITATION_REFUSED', message: `The inviting computer refused: ${why}. ${NOTHING_SENT}`, hint });
}

export function declined(): HoldfastError {
  return new HoldfastError({ code: 'CANCELLED', message: `You did not agree. ${NOTHING_SENT}`, hint: '' });
}

export function otherLoad(why: string): HoldfastError {
  return new HoldfastError({
    code: 'OTHER_LOAD',
    message: `The inviting computer asked for something else than you agreed to: ${why}. ${NOTHING_SENT}`,
    hint: 'The connection was closed. The plan was probably changed after the invitation. Ask for a new one.',
  });
}

/** Returns the error that the inviting computer is gone. `hasRun` states whether the run had begun. */
export function inviterLost(why: string, hasRun: boolean): HoldfastError {
  return new HoldfastError({
    code: 'INVITER_LOST',
    message: `The inviting computer is gone: ${why}. ${hasRun ? 'The load of this computer was stopped.' : NOTHING_SENT}`,
    hint: hasRun
      ? 'What this computer had reported is in the result there.'
      : 'Probably the invitation was withdrawn or has ended. Ask for a new line.',
  });
}

export function agentFailed(why: string): HoldfastError {
  return new HoldfastError({
    code: 'AGENT_LOST',
    message: `The load generator of this computer ended unexpectedly: ${why}.`,
    hint: 'Probably somebody ended it, or the memory ran out.',
  });
}
