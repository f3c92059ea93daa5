import { z } from 'zod';
import { problemSchema } from '#contract/rpc/frames.ts';
import { notify } from './notices.ts';
import { startWizard } from './wizardSeed.ts';

const answerSchema = z.object({
  file: z.object({ name: z.string(), text: z.string().nullable(), problem: problemSchema.optional() }).optional(),
});

/** Begins a new test with each plan that the system opens with the desktop app: one that waits already, and those that come later. */
export function watchOpenedFiles(): void {
  const verbs = window.holdfast?.verbs;
  if (!verbs) return;
  const take = async (): Promise<void> => {
    const { file } = answerSchema.parse(await verbs.takeFile());
    if (!file) return;
    if (file.text === null) notify([file.problem?.message, file.problem?.hint].join(' '));
    else startWizard({ kind: 'file', name: file.name, text: file.text });
  };
  verbs.onFile(() => void take());
  void take();
}
