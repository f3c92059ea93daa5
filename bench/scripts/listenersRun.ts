import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { addCounters, zeroCounters, STREAM_COUNTERS } from '#core/measurement/counters.ts';
import type { Window } from '#core/measurement/window.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { addInto, createTotalHistogram, percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { buildJob, runLoad } from '#engine/testing/runLoad.ts';

/*
 * Holds the streams of a plan with the engine and all its recording. Arguments: the path of a plan in JSON, a second, and the entry file of
 * a thread. Prints the counts of the whole run, and percentiles of the delays from that second on.
 */

const plan = planSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const fromSecond = Number(process.argv[3] ?? 0);
const delays = createTotalHistogram();
const counts = zeroCounters(STREAM_COUNTERS);
const workerEntry = pathToFileURL(process.argv[4] ?? '');
const targets = plan.targets.map(({ url }) => url);
const count = ({ second, cells }: Window): void => {
  for (const { times, streams } of cells) {
    if (streams !== undefined) addCounters(STREAM_COUNTERS, counts, streams);
    if (second >= fromSecond && times.eventDelay !== undefined) addInto(delays, times.eventDelay);
  }
};
const { end, cell } = await runLoad(buildJob(targets, plan), count, workerEntry);
if (end.reason !== 'completed') throw new Error(end.problem?.message ?? `The load ended as ${end.reason}.`);
const rankUs = (percentile: number): number | null =>
  delays.totalCount === 0 ? null : valueAtRank(delays, percentileRank(percentile, delays.totalCount));
console.log(JSON.stringify({ counts, errors: cell.errors, outcomes: cell.outcomes, delayUs: { p50: rankUs(50), p99: rankUs(99) } }));
