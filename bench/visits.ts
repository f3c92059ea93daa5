import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import { startTestBackend, watchToEnd, type TestBackend } from '#backend/testing/backend.ts';
import { picture } from '#backend/visits/testing/pageServer.ts';

/*
 * Compares visits with known values, on this computer only. `node bench/visits.ts known [times]` checks whether the interval of the largest
 * paint contains the known delay of the picture, which grows with the load (default: 20 times). `node bench/visits.ts rate [rounds]`
 * divides requests per second with a visitor by those without one (default: 5 rounds). The ratio must be at least 0.97, unless the seconds
 * are marked.
 */

const [, , part = 'known', count] = process.argv;
const SECONDS = 24;

/** Share by which the delays of the picture vary. They vary uniformly, so that the median is in the middle. */
const DELAY_VARIATION = 0.15;
const CALM_MS = 200;
/** Additional delay of the picture for each request in flight, in ms. */
const DELAY_PER_REQUEST_MS = 60;

/** Starts a page whose picture is delayed depending on the number of `/work` requests in flight. `/work` takes 200 ms. */
async function startSite() {
  const content = picture();
  let working = 0;
  let pictures = 0;
  const server = createServer((request, response) => {
    switch (request.url) {
      case '/work':
        working += 1;
        setTimeout(() => {
          working -= 1;
          response.end('done');
        }, 200);
        break;
      case '/':
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!doctype html><h1>Known</h1><img src="/picture.png" width=600 height=400>');
        break;
      case '/picture.png': {
        const middle = CALM_MS + DELAY_PER_REQUEST_MS * working;
        const delay = middle * (1 + DELAY_VARIATION * (2 * uniformAt(11, (pictures += 1)) - 1));
        setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(content), delay);
        break;
      }
      default:
        response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

function getPlan(url: string, connections: number, watches: boolean, path: string): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'bench of visits',
    targets: [{ url }],
    journey: [{ name: 'work', path }],
    load: { model: 'connections', stages: [{ name: 'load', connections, seconds: SECONDS }] },
    criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 2_500 }],
    ...(watches ? { watchPages: [{ url: '/' }] } : {}),
  });
}

async function getResult({ client }: TestBackend, plan: Plan): Promise<RunResult> {
  const { runId } = await client.call('runs.start', { plan });
  await watchToEnd(client, runId);
  return client.call('runs.result', { runId });
}

async function areVisitsKnown(test: TestBackend, url: string, times: number): Promise<boolean> {
  let heldCount = 0;
  let reportedCount = 0;
  let runs = 0;
  // A run is repeated if this computer slowed most of its visits.
  for (; reportedCount < times && runs < 2 * times; runs += 1) {
    const connections = 2 + (reportedCount % 10) * 2;
    const { visits } = await getResult(test, getPlan(url, connections, true, 'work'));
    const [page] = visits?.pages ?? [];
    const loaded = page?.stages[0]?.figures;
    const calm = page?.before?.largestPaintMs?.median ?? Number.NaN;
    // The time that the browser itself takes is part of both values.
    const truth = calm + DELAY_PER_REQUEST_MS * connections;
    const { median, low, high } = loaded?.largestPaintMs ?? { median: Number.NaN, low: null, high: null };
    const isReported = low !== null && high !== null;
    const holds = isReported && low <= truth && truth <= high;
    reportedCount += Number(isReported);
    heldCount += Number(holds);
    console.log(
      `${connections} in flight: known ${truth.toFixed(0)} ms, measured ${median.toFixed(0)} ms (${low?.toFixed(0) ?? '–'} to ${high?.toFixed(0) ?? '–'}), ${loaded?.visits ?? 0} visits, ${loaded?.slowed ?? 0} slowed here: ${holds ? 'held' : isReported ? 'MISSED' : 'too few'}`,
    );
  }
  console.log(
    `${heldCount} of ${reportedCount} intervals hold the known value; ${runs - reportedCount} more runs had too few visits that count.`,
  );
  return heldCount === times;
}

async function rate(test: TestBackend, url: string, rounds: number): Promise<boolean> {
  const ratios: number[] = [];
  let marked = 0;
  for (let round = 0; round < rounds; round += 1) {
    const both = new Map<boolean, RunResult>();
    for (const watches of round % 2 === 0 ? [false, true] : [true, false]) {
      both.set(watches, await getResult(test, getPlan(url, 8, watches, '')));
      await after(1_000);
    }
    const perSecond = (watches: boolean): number => both.get(watches)?.rates.completedPerSecond ?? Number.NaN;
    const windows = both.get(true)?.windows ?? [];
    const overloaded = windows.filter((window) => window.overloadedBy.length > 0).length;
    const taken = windows.filter((window) => window.overloadedBy.includes('browser')).length;
    marked += Number(overloaded > 0);
    ratios.push(perSecond(true) / perSecond(false));
    console.log(
      `with ${perSecond(true).toFixed(0)}/s, without ${perSecond(false).toFixed(0)}/s: ${ratios.at(-1)?.toFixed(3)}; ${overloaded} of ${SECONDS} seconds marked, ${taken} for the browser, ${both.get(true)?.visits?.visits.length ?? 0} visits`,
    );
  }
  const middle = ratios.toSorted((one, other) => one - other)[Math.floor(ratios.length / 2)] ?? Number.NaN;
  console.log(`median ${middle.toFixed(3)}; seconds were marked in ${marked} of ${rounds} runs with a visitor.`);
  return middle >= 0.97 || marked === rounds;
}

const site = await startSite();
const test = await startTestBackend();
const isMet = part === 'rate' ? await rate(test, site.url, Number(count ?? 5)) : await areVisitsKnown(test, site.url, Number(count ?? 20));
await test.close();
site.close();
process.exitCode = isMet ? 0 : 1;
