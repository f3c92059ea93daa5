import { HoldfastError } from '#core/base/errors.ts';
import { countOf } from '#core/base/units.ts';
import { listProposalFacts, PROPOSAL_ADVICE } from '#core/review/proposal.ts';
import { joinInvitation } from './joinInvitation.ts';

export interface JoinTerminal {
  readonly agentFile: string;
  write(text: string): unknown;
  /** Asks a question. Resolves to null without a terminal, and when the signal aborts. */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
  readonly signal: AbortSignal;
}

/** Joins a run after the person at the terminal has agreed. Throws the errors of {@link joinInvitation}, and `NO_TERMINAL`. */
export async function joinAtTerminal(invitation: string, { agentFile, write, ask, signal }: JoinTerminal): Promise<void> {
  let sent: number | null = null;
  await joinInvitation(invitation, {
    agentFile,
    signal,
    async agree(proposal, gone) {
      const lines = listProposalFacts(proposal).map(({ name, lines: [first, ...others] }) =>
        [`  ${name}: ${first}\n`, ...others.map((line) => `    ${line}\n`)].join(''),
      );
      write(
        `The inviting computer knows the code. It asks this computer to send a part of this load:\n\n${lines.join('')}\n${PROPOSAL_ADVICE}\n`,
      );
      const reply = await ask('Send a part of this load from this computer? y/N ', gone);
      if (gone.aborted) throw gone.reason;
      if (reply === null) throw noTerminal();
      return /^y(es)?$/i.test(reply.trim());
    },
    onWaiting: () => write('Waiting for the inviting computer to start the run. Ctrl-C leaves it.\n'),
    onSent(requests) {
      if (sent === null) write('This computer sends its part. Ctrl-C stops it.\n');
      sent = requests;
    },
  }).finally(() => {
    if (sent !== null) write(`This computer sent ${countOf(sent, 'request')}.\n`);
  });
  write(sent === null ? 'The invitation ended without a run.\n' : 'The run has ended.\n');
}

function noTerminal(): HoldfastError {
  return new HoldfastError({
    code: 'NO_TERMINAL',
    message: 'Nobody can be asked here, because there is no terminal. This computer has sent nothing to any target.',
    hint: 'Run the command in a terminal: a person of this computer has to agree.',
  });
}
