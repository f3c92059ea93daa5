import type { Machine } from '../output/machine.ts';
import { coresText, machineText, otherLoadText, resultParagraphs } from '../output/report.ts';
import type { Cores } from '../running/cores.ts';
import type { KindResult } from './kind.ts';

export interface ConclusionsReport {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly cores: Cores;
  /** Seed for all random values. */
  readonly seed: number;
  /** CPU shares of other programs before each kind, if they are known. */
  readonly othersShares: readonly number[];
  readonly results: readonly (KindResult & { readonly tookSeconds: number })[];
}

/** Returns the whole report as Markdown. */
export function conclusionsMarkdown({ startedAt, machine, cores, seed, othersShares, results }: ConclusionsReport): string {
  const took = results.map(({ kind, tookSeconds }) => `${kind} took ${(tookSeconds / 60).toFixed(1)} min`).join(', ');
  const failed = results.flatMap((result) => result.failed);
  return [
    '# Answers of Holdfast beside the truth',
    `${startedAt}; ${machineText(machine)}; ${coresText(cores, 'app')}; seed ${seed}; ${took}.`,
    otherLoadText(othersShares),
    ...resultParagraphs(results),
    ...(failed.length === 0 ? [] : [`## Could not be asked\n\n${failed.map((line) => `- ${line}`).join('\n')}`]),
  ].join('\n\n');
}
