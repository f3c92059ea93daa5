import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { formatAnnotations } from '#core/presentation/formats/annotationFormat.ts';
import { formatComment } from '#core/presentation/formats/commentFormat.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Verdict } from '#core/result/verdict.ts';
import { optionError } from '../output/problems.ts';
import { readPlanFile } from '../plans/source.ts';
import { compareWithBaseline } from '../running/againstBaseline.ts';
import { findRunId, findSide, isSearchId, isSeriesId } from '../running/findRun.ts';
import { MAX_POINTS } from '../running/perform.ts';
import type { CliContext } from '../context.ts';
import { STORED_BASELINE } from './baselineOptions.ts';

/** Formats in which a result is printed for a build. */
export const BUILD_FORMATS = ['comment', 'annotations'] as const;
export type BuildFormat = (typeof BUILD_FORMATS)[number];

export interface BuildFlags {
  readonly format: BuildFormat;
  readonly baseline?: string;
  readonly link?: string;
  readonly plan?: string;
}

/** Prints a run, or a series that repeats one test, for a build. Throws `BAD_OPTION` for a search and for options that do not fit. */
export async function printForBuild(id: string | undefined, flags: BuildFlags, client: Client, context: CliContext): Promise<void> {
  if (id === undefined || isSearchId(id))
    throw optionError('--format needs a run or a series of repeats.', 'For example: holdfast report last --format comment');
  const runIds = isSeriesId(id) ? (await findSide(client, id)).runIds : [await findRunId(client, id)];
  const results: RunResult[] = [];
  for (const runId of runIds) results.push(await client.call('runs.result', { runId, maxPoints: MAX_POINTS }));
  const result = findWorst(results);
  await context.out.write(
    flags.format === 'annotations'
      ? await annotationsText(result, flags, context)
      : formatComment({
          result,
          runCount: results.length,
          comparison: await readComparison(runIds, flags.baseline, client),
          reportUrl: checkLink(flags.link),
        }),
  );
}

/** Outcomes, worst first. */
const SEVERITY: readonly Verdict['outcome'][] = ['failed', 'inconclusive', 'passed', 'measured'];

function findWorst(results: readonly RunResult[]): RunResult {
  const [worst] = results.toSorted((one, other) => SEVERITY.indexOf(one.verdict.outcome) - SEVERITY.indexOf(other.verdict.outcome));
  if (worst !== undefined) return worst;
  throw new HoldfastError({ code: 'NOT_WHOLE', message: 'The series has no runs: none was started.', hint: 'To list runs: holdfast runs' });
}

async function annotationsText(result: RunResult, { plan }: BuildFlags, { currentDirectory }: CliContext): Promise<string> {
  if (plan === undefined)
    throw optionError('Name the plan file.', 'For example: holdfast report last --format annotations --plan load/plan.yaml');
  return formatAnnotations(result, { path: plan, text: await readPlanFile(plan, currentDirectory) });
}

async function readComparison(runIds: readonly string[], baseline: string | undefined, client: Client): Promise<Comparison | null> {
  if (baseline === undefined) return null;
  return compareWithBaseline(baseline === STORED_BASELINE ? null : await findSide(client, baseline), runIds, client);
}

/** Returns the link. Throws `BAD_OPTION` unless it is an http or https address. */
function checkLink(link: string | undefined): string | undefined {
  if (link === undefined || (/^https?:\/\//i.test(link) && URL.canParse(link))) return link;
  throw optionError('The link is not an address.', 'For example: --link https://ci.example.org/artifacts/load.html');
}
