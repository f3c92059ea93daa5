import { requirementCells } from '../figures/requirement.ts';
import type { PartResult } from '../parts/part.ts';
import type { Cores } from '../running/cores.ts';
import type { Found, Missing } from '../running/findSubjects.ts';
import type { Machine } from './machine.ts';
import { markdownTable } from './table.ts';

export interface BenchReport {
  readonly startedAt: string;
  readonly machine: Machine;
  readonly cores: Cores;
  readonly rounds: number;
  /** CPU shares of other programs before each part, if they are known. */
  readonly othersShares: readonly number[];
  readonly missing: readonly Missing[];
  readonly parts: readonly PartResult[];
}

/** Returns the whole report as Markdown. */
export function markdownReport({ startedAt, machine, cores, rounds, othersShares, missing, parts }: BenchReport): string {
  return [
    '# Holdfast beside other generators',
    `${startedAt}; ${machineText(machine)}; ${coresText(cores, 'generator')}; ${rounds} rounds, interleaved in rotating order.`,
    otherLoadText(othersShares),
    ...resultParagraphs(parts),
    ...(missing.length === 0 ? [] : [`## Not here\n\n${missingLines(missing)}`]),
  ].join('\n\n');
}

/** Returns the report as a documentation page with the command and all versions. */
export function publishedReport(report: BenchReport, foundSubjects: readonly Found[], parameters: readonly string[]): string {
  const versions = foundSubjects.map(({ subject, version }) => `- ${subject.id} ${version ?? '(version not known)'}`);
  const [, ...paragraphs] = markdownReport({ ...report, missing: [] }).split('\n\n');
  return [
    '# Measured beside other generators',
    'What a core sends, what a request costs of the processor, and whether the times are right, as measured by this project. Another machine gives other figures: measure yours with the same command.',
    `Written by \`npm run bench -- ${parameters.join(' ')}\`, not by hand; what each part does is in [bench](../bench/README.md).`,
    ...paragraphs,
    ...(versions.length === 0 ? [] : ['## Versions', versions.join('\n')]),
  ].join('\n\n');
}

/** Returns the measurements by section, followed by the requirements. */
export function resultParagraphs(results: readonly Pick<PartResult, 'sections' | 'requirements'>[]): string[] {
  const requirements = results.flatMap((result) => result.requirements);
  return [
    ...results.flatMap(({ sections }) =>
      sections.map(({ title, caption, head, rows }) => `## ${title}\n\n${caption}\n\n${markdownTable(head, rows)}`),
    ),
    ...(requirements.length === 0
      ? []
      : [`## Required\n\n${markdownTable(['what', 'measured', 'required', 'aim', 'outcome'], requirements.map(requirementCells))}`]),
  ];
}

export function machineText({ processor, cores, memoryBytes, system, node }: Machine): string {
  return `${processor}, ${cores} cores, ${(memoryBytes / 1e9).toFixed(1)} GB, ${system}, Node.js ${node}`;
}

/** Returns a sentence about the cores that are used. @param who What runs on the core of the generator. */
export function coresText({ target, generator }: Cores, who: string): string {
  return target === null || generator === null ? 'nothing is pinned to a core' : `target on core ${target}, ${who} on core ${generator}`;
}

/** Maximum CPU share of other programs. Above it, other programs influence the results. */
const MAX_OTHER_CPU_SHARE = 0.05;

export function otherLoadText(shares: readonly number[]): string {
  if (shares.length === 0) return 'How busy the machine was with other programs is not known.';
  const most = Math.max(...shares);
  const statedText = `Before each part other programs used at most ${(most * 100).toFixed(0)} % of the CPU`;
  return most > MAX_OTHER_CPU_SHARE
    ? `**${statedText}: the machine was not at rest, and the figures are not to be relied on.**`
    : `${statedText}.`;
}

export function missingLines(missing: readonly Missing[]): string {
  return missing.map(({ id, install }) => `- ${id} is not installed: \`${install}\``).join('\n');
}

export function foundLines(foundSubjects: readonly Found[]): string {
  return foundSubjects
    .map(
      ({ subject, version, located }) =>
        `- ${subject.id} ${version ?? '(version not known)'}: ${[located.program, ...located.before].join(' ')}`,
    )
    .join('\n');
}
