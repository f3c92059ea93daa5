import { useSyncExternalStore } from 'react';
import { navigate } from 'wouter/use-hash-location';
import { z } from 'zod';
import type { Plan } from '#core/plan/schema/plan.ts';
import { problemSchema } from '#contract/rpc/frames.ts';
import { notify } from './notices.tsx';

/** Initial content of the wizard that another screen requests. */
export type WizardSeed =
  /** The plan of a run. The user edits it or, with `starts`, runs it unchanged. */
  | { readonly kind: 'run'; readonly runId: string; readonly starts?: boolean }
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      /** Whether Holdfast proposed the load, because the source has none. */
      readonly isLoadProposed?: boolean;
      /** Names of the load generators of the original run. */
      readonly generators?: readonly string[];
      /** Plan of the original run. The permissions that were given for it are reused. */
      readonly from?: Plan;
    }
  | { readonly kind: 'lab'; readonly name: string }
  /** A new test with these hosts as load generators. */
  | { readonly kind: 'hosts'; readonly names: readonly string[] }
  /** A file that was opened with the app. The first page shows the file before it is used. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string };

let pendingSeed: WizardSeed | null = null;
const listeners = new Set<() => void>();

/** Opens the wizard with a seed, for actions such as “Run again” and “Edit the plan”. */
export function startWizard(seed: WizardSeed): void {
  pendingSeed = seed;
  for (const listener of listeners) listener();
  navigate('/new');
}

/** Returns the seed that is pending, or null. */
export function useWizardSeed(): WizardSeed | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => pendingSeed,
    () => pendingSeed,
  );
}

export function takeWizardSeed(): void {
  pendingSeed = null;
  for (const listener of listeners) listener();
}

const responseSchema = z.object({
  file: z.object({ name: z.string(), text: z.string().nullable(), problem: problemSchema.optional() }).optional(),
});

/**
 * Prevents the browser from opening a file that is dropped outside of a drop zone. Opening it would replace the page and lose all entries.
 */
export function ignoreDroppedFiles(): void {
  for (const type of ['dragover', 'drop'] as const)
    window.addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    });
}

/** Starts a new test with each plan file that the system opens with the desktop app, including a file that was opened before. */
export function watchOpenedFiles(): void {
  const verbs = window.holdfast?.verbs;
  if (!verbs) return;
  const takeFile = async (): Promise<void> => {
    const { file } = responseSchema.parse(await verbs.takeFile());
    if (!file) return;
    if (file.text === null) notify([file.problem?.message, file.problem?.hint].join(' '));
    else startWizard({ kind: 'file', name: file.name, text: file.text });
  };
  verbs.onFile(() => void takeFile());
  void takeFile();
}
