import type { CliContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import type { Progress } from './progress.ts';

/** Resolves at the first Ctrl-C. A second Ctrl-C exits at once. */
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

/** Prints `text` and stops at the first Ctrl-C; exits at the second. Returns a function that removes the listener. */
export function stopOnInterrupt(stop: () => Promise<unknown>, text: string, context: CliContext, progress: Progress): () => void {
  let interrupts = 0;
  return context.onInterrupt(() => {
    interrupts += 1;
    if (interrupts > 1) return context.quit(EXIT.stoppedByUser);
    progress.note(`${text} Press Ctrl-C again to quit at once.`);
    // The run may have ended by itself meanwhile.
    stop().catch(() => {});
  });
}
