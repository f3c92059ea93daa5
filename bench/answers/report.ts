import type { Machine } from '../output/machine.ts';
import { coresWords, machineWords, othersWords, resultParagraphs } from '../output/report.ts';
import type { Cores } from '../running/cores.ts';
import type { KindResult } from './kind.ts';

export interface AnswersReport {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly cores: Cores;
  /** All that was drawn follows from it. */
  readonly seed: number;
  /** Shares of the CPU that other programs used before each kind, as far as they are known. */
  readonly othersShares: readonly number[];
  readonly results: readonly (KindResult & { readonly tookSeconds: number })[];
}

/** The whole report as Markdown. */
export function answersMarkdown({ startedAt, machine, cores, seed, othersShares, results }: AnswersReport): string {
  const took = results.map(({ kind, tookSeconds }) => `${kind} took ${(tookSeconds / 60).toFixed(1)} min`).join(', ');
  const failed = results.flatMap((result) => result.failed);
  return [
    '# Answers of Holdfast beside the truth',
    `${startedAt}; ${machineWords(machine)}; ${coresWords(cores, 'app')}; seed ${seed}; ${took}.`,
    othersWords(othersShares),
    ...resultParagraphs(results),
    ...(failed.length === 0 ? [] : [`## Could not be asked\n\n${failed.map((line) => `- ${line}`).join('\n')}`]),
  ].join('\n\n');
}
