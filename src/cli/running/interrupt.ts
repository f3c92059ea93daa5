import type { CliContext } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import type { Progress } from './progress.ts';

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

/** The first Ctrl-C says so and stops, the second leaves at once. Returns what takes that back. */
export function stopOnInterrupt(stop: () => Promise<unknown>, text: string, context: CliContext, progress: Progress): () => void {
  let interrupts = 0;
  return context.onInterrupt(() => {
    interrupts += 1;
    if (interrupts > 1) return context.quit(EXIT.stoppedByUser);
    progress.note(`${text} Press Ctrl-C again to quit at once.`);
    // When it has ended by itself meanwhile there is nothing left to stop.
    stop().catch(() => {});
  });
}
