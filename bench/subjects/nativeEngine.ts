import { newTotalHistogram, addInto, type Histogram } from '#core/stats/histogram.ts';
import { jobOf, runLoad } from '#engine/testing/runLoad.ts';

/** Our own engine in one worker thread with its full recording; without store and screens. Prints one line of JSON. */
const [url = '', connections = '50', seconds = '5'] = process.argv.slice(2);
const service: Histogram = newTotalHistogram();
const stage = { connections: Number(connections), seconds: Number(seconds) };
const job = jobOf([url], { engine: 'native', threads: 1, load: { model: 'connections', stages: [stage] } });
const result = await runLoad(job, (window) => {
  for (const { times } of window.cells) if (times.serviceOk !== undefined) addInto(service, times.serviceOk);
});
const { ok = 0, ...failures } = result.cell.outcomes;
const percentileMs = (percentile: number): number | null =>
  service.totalCount === 0 ? null : service.getValueAtPercentile(percentile) / 1_000;
console.log(
  JSON.stringify({
    answers: ok,
    seconds: result.end.endedAtSecond,
    p50Ms: percentileMs(50),
    p99Ms: percentileMs(99),
    note: Object.keys(failures).length === 0 ? '' : JSON.stringify(failures),
  }),
);
