import type { CliContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';

/** Resolves at the first Ctrl-C; a second one, while things are being closed, leaves at once. */
export function untilInterrupted(context: Pick<CliContext, 'onInterrupt' | 'quit'>): Promise<void> {
  return new Promise((resolve) => {
    let interrupts = 0;
    context.onInterrupt(() => {
      interrupts += 1;
      if (interrupts > 1) context.quit(EXIT.stoppedByUser);
      resolve();
    });
  });
}
