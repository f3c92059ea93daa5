import { z } from 'zod';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { buildResult } from '#core/judgement/buildResult.ts';
import type { Window } from '#core/measurement/window.ts';
import { listTargets } from '#core/plan/url.ts';
import { generatorSchema, runEventSchema, runHeadSchema, type RunResult } from '#core/result/schema.ts';
import { engineEndFactsSchema } from '#core/result/stageTimes.ts';
import { visitLogSchema } from '#core/result/visits.ts';
import { monitorResultSchema } from '#core/machines/monitors/result.ts';
import type { Block, Report } from './model.ts';
import { runReport } from './runReport.ts';
import { type SealCheck, type StatedVerdict, statedVerdictSchema } from './sealCheck.ts';
import { NOT_PROVED, NOT_PROVED_TITLE } from './sealCheckText.ts';
import { instantText } from './words.ts';

/** Changes when a reader of earlier files would misread the content. */
const SEALED_SCHEMA = 'holdfast.sealed/1';
const MAX_WINDOWS = 20_000;
/** A month: longer than any run. */
const MAX_SECONDS = 31 * 86_400;

/** The data of a sealed file: everything from which its verdict and its page are made. Samples of responses are left out. */
export const sealedContentSchema = z.strictObject({
  schema: z.literal(SEALED_SCHEMA),
  /** Version of Holdfast that sealed the file. */
  version: z.string().max(100),
  sealedAt: z.iso.datetime(),
  verdict: statedVerdictSchema,
  head: runHeadSchema,
  /** Validated like a plan file when the sealed file is read. */
  plan: z.unknown(),
  end: engineEndFactsSchema.extend({ endedAtSecond: z.number().min(0).max(MAX_SECONDS) }).nullable(),
  generators: z.array(generatorSchema).max(1_000),
  monitors: z.array(monitorResultSchema).max(1_000),
  events: z.array(runEventSchema).max(100_000),
  visits: visitLogSchema.nullable(),
  /** Encoded windows in order of time. */
  windows: z.array(z.base64()).max(MAX_WINDOWS),
});
export type SealedContent = z.infer<typeof sealedContentSchema>;

/** The data of a sealed file, with its plan and its windows read. */
export interface SealedRun extends Omit<SealedContent, 'schema' | 'plan' | 'windows'> {
  readonly plan: RunResult['plan'];
  readonly windows: readonly Window[];
}

export function toContent({ windows: _windows, ...run }: SealedRun, windows: readonly string[]): z.input<typeof sealedContentSchema> {
  return { schema: SEALED_SCHEMA, ...run, windows: [...windows] };
}

/** Returns the verdict as a sealed file states it. */
export function statedVerdict({ verdict: { outcome, sentence } }: Pick<RunResult, 'verdict'>): StatedVerdict {
  return { outcome, sentence };
}

/** Builds the result of a sealed run from its windows. */
export function sealedResult({ head, plan, end, generators, monitors, events, visits, windows }: SealedRun): RunResult {
  return buildResult({ head, plan, end, generators, monitors, events, visits, windows });
}

/** Returns the report of a run with a section about its seal. `signer`: the fingerprint of the key in words. */
export function sealedReport(run: SealedRun, result: RunResult, signer: string): Report {
  const report = runReport(result);
  const blocks: Block[] = [
    {
      kind: 'text',
      text: 'Every byte of this file is signed. To check it, drop it on the app, or run: holdfast verify FILE. Both recompute the verdict from the windows in the file. The page itself cannot show whether it was changed.',
    },
    {
      kind: 'pairs',
      title: 'Seal',
      pairs: [
        ['Sealed', `${instantText(run.sealedAt)} by Holdfast ${run.version}`],
        ['Key', signer],
        ['Windows', `${formatCount(run.windows.length)}, each of at most ${formatSeconds(longestWindow(run.windows))}`],
        ['Self-test', selfTestText(run)],
      ],
    },
    { kind: 'list', title: NOT_PROVED_TITLE, items: NOT_PROVED },
  ];
  return { ...report, sections: [...report.sections, { id: 'seal', title: 'Seal', blocks }] };
}

/** Returns the width in seconds of the longest window. */
export function longestWindow(windows: readonly Window[]): number {
  return windows.reduce((longest, { width }) => Math.max(longest, width), 0);
}

function selfTestText({ generators }: Pick<SealedRun, 'generators'>): string {
  const tests = generators.map(({ name, selfTest }) => {
    if (selfTest === null) return `none on ${name} before this run`;
    const { at, passed, failed } = selfTest;
    const outcome = failed.length === 0 ? `all ${formatCount(passed)} checks passed` : `failed: ${failed.join(', ')}`;
    return `${name}, ${instantText(at)}: ${outcome}`;
  });
  return tests.join('; ');
}

/** Returns the check of a readable file whose signature is right. `isSamePage`: see {@link SealCheck}. */
export function intactCheck(
  run: SealedRun,
  result: RunResult,
  seal: { readonly signer: string; readonly isOwnKey: boolean; readonly isSamePage: boolean | null },
): SealCheck {
  const { id, name, startedAt } = run.head;
  return {
    state: 'intact',
    ...seal,
    version: run.version,
    sealedAt: run.sealedAt,
    run: { id, name, startedAt, targets: listTargets(run.plan).map(({ url }) => url) },
    stated: run.verdict,
    computed: statedVerdict(result),
    windows: run.windows.length,
    longestWindowSeconds: longestWindow(run.windows),
  };
}
