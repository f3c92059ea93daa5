import { useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { z } from 'zod';
import type { Plan } from '#core/plan/schema/plan.ts';
import { problemSchema } from '#contract/rpc/frames.ts';
import { notify } from './notices.tsx';

/** What another screen asks the wizard to begin with. */
export type WizardSeed =
  /** The plan of a run, to be changed or, with `starts`, to be run as it was. */
  | { readonly kind: 'run'; readonly runId: string; readonly starts?: boolean }
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      /** Holdfast has proposed its load: what it was made of says nothing of one. */
      readonly isLoadProposed?: boolean;
      /** Names of the generators that made the load of the run it comes from. */
      readonly generators?: readonly string[];
      /** The plan of the run that it comes from: what was agreed to for it is agreed to. */
      readonly from?: Plan;
    }
  | { readonly kind: 'lab'; readonly name: string }
  /** A new test whose load these hosts send. */
  | { readonly kind: 'hosts'; readonly names: readonly string[] }
  /** A file that was opened with the app: shown on the first page, where it is looked at before it is used. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string };

let waiting: WizardSeed | null = null;
const listeners = new Set<() => void>();

/** Opens the wizard on a seed: “Run again”, “Edit the plan”, “the plan that would settle it”, “Test it”. */
export function startWizard(seed: WizardSeed): void {
  waiting = seed;
  for (const listener of listeners) listener();
  navigate('/new');
}

/** For the wizard: the seed that waits for it, and how to take it. */
export function useWizardSeed(): WizardSeed | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
    () => waiting,
  );
}

export function takeWizardSeed(): void {
  waiting = null;
  for (const listener of listeners) listener();
}

const answerSchema = z.object({
  file: z.object({ name: z.string(), text: z.string().nullable(), problem: problemSchema.optional() }).optional(),
});

/** A file that is dropped where nobody takes it would be opened in place of the page, and everything entered would be gone. */
export function keepDroppedFilesOut(): void {
  for (const type of ['dragover', 'drop'] as const)
    window.addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    });
}

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
