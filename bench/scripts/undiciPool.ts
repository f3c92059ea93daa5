import { Pool } from 'undici';
import { createTotalHistogram, record } from '#core/statistics/histogram.ts';
import type { Reading } from '../subjects/subject.ts';

/*
 * Runs undici's pool with one loop per connection. Each loop sends its next request once the last response has been read. Arguments: url,
 * connections, seconds.
 */

const [url = '', connections = '', seconds = ''] = process.argv.slice(2);
const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: Number(connections), pipelining: 1, headersTimeout: 120_000, bodyTimeout: 120_000 });
const times = createTotalHistogram();
let failures = 0;
const started = process.hrtime.bigint();
const endsAt = started + BigInt(Math.round(Number(seconds) * 1e9));

async function loop(): Promise<void> {
  for (let now = process.hrtime.bigint(); now < endsAt;) {
    const { statusCode, body } = await pool.request({ method: 'GET', path: pathname });
    await body.dump();
    const responded = process.hrtime.bigint();
    if (statusCode < 300) record(times, Number(responded - now) / 1_000);
    else failures += 1;
    now = responded;
  }
}

await Promise.all(Array.from({ length: Number(connections) }, loop));
const percentileMs = (percentile: number): number | null =>
  times.totalCount === 0 ? null : times.getValueAtPercentile(percentile) / 1_000;
const reading: Reading = {
  responses: times.totalCount,
  seconds: Number(process.hrtime.bigint() - started) / 1e9,
  p50Ms: percentileMs(50),
  p99Ms: percentileMs(99),
  note: failures === 0 ? '' : `${failures} not 2xx`,
};
await pool.close();
console.log(JSON.stringify(reading));
