import { readFileSync } from 'node:fs';
import { planSchema } from '#core/plan/schema/plan.ts';
import { addInto, createTotalHistogram, type Histogram, percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { buildJob, runLoad } from '#engine/testing/runLoad.ts';
import type { Reading } from '../subjects/subject.ts';

// Runs Holdfast's engine with all its recording, but without store and screens. The argument is the path of a plan in JSON. Prints a
// reading.

const plan = planSchema.parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const service: Histogram = createTotalHistogram();
const targets = plan.targets.map(({ url }) => url);
const result = await runLoad(buildJob(targets, plan), (window) => {
  for (const { times } of window.cells) if (times.serviceOk !== undefined) addInto(service, times.serviceOk);
});
const { reason, problem, endedAtSecond } = result.end;
if (reason !== 'completed') throw new Error(problem?.message ?? `The load ended as ${reason}.`);
const { ok = 0, ...failures } = result.cell.outcomes;
const percentileMs = (percentile: number): number | null =>
  service.totalCount === 0 ? null : valueAtRank(service, percentileRank(percentile, service.totalCount)) / 1_000;
const reading: Reading = {
  responses: ok,
  seconds: endedAtSecond,
  p50Ms: percentileMs(50),
  p99Ms: percentileMs(99),
  note: Object.keys(failures).length === 0 ? '' : JSON.stringify(failures),
};
console.log(JSON.stringify(reading));
