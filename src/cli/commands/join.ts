import { fileURLToPath } from 'node:url';
import { joinAtTerminal } from '#agent/join/joinAtTerminal.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { AddCommand } from '../context.ts';

export const addJoin: AddCommand = (program, { context }) => {
  program
    .command('join')
    .description('send a part of the load of a computer that invited this one; you are asked first')
    .argument('<invitation>', 'the line that the inviting computer shows: HOST:PORT/CODE/FINGERPRINT')
    .action(async (invitation: string) => {
      const leave = new AbortController();
      const release = context.onInterrupt(() =>
        leave.abort(new HoldfastError({ code: 'CANCELLED', message: 'You left the run. This computer sends nothing any more.', hint: '' })),
      );
      try {
        await joinAtTerminal(invitation, {
          agentFile: fileURLToPath(context.agentFile),
          write: (text) => context.err.write(text),
          ask: context.askLine,
          signal: leave.signal,
        });
      } finally {
        release();
      }
    });
};
