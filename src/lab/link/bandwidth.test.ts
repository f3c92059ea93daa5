import { performance } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../listen.ts';
import { openLab } from '../openLab.ts';
import { supervised } from '../supervisor/supervisor.ts';
import { whyNot } from '../testing/needs.ts';
import { ask } from '../testing/requests.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { missingForLink, withLink } from './withLink.ts';

const skipReason = await whyNot((await missingForLink(process.env)).map((one) => ({ ...one, needed: true })));

/** Size of a page that is as large as the report's style sheet. The page has no service time. */
const BODY_BYTES = 31_966;
const sheetLab = withLink({
  name: 'sheet',
  title: 'A style sheet',
  story: 'Nothing but that.',
  options: {},
  missing: () => Promise.resolve([]),
  start: (_given, surroundings) =>
    supervised(surroundings, null, async (supervisor) => {
      const body = Buffer.alloc(BODY_BYTES, 'x');
      const server = await listen((_request, response) => void response.end(body), null);
      supervisor.onStop(() => server.close());
      return openLab(supervisor, { name: 'sheet', urls: [server.url], addresses: [], facts: {} });
    }),
});

async function startSheetLab(bandwidth: number): Promise<string> {
  const runningLab = await sheetLab.start({ bandwidth }, testSurroundings());
  onTestFinished(() => runningLab.stop());
  return runningLab.urls[0] ?? '';
}

const MAX_TRIES = 5;

/**
 * Returns the highest of several measurements, and stops at the first one that is high enough, because a busy machine can only lower the
 * rate.
 */
async function measureMaxMegabits(url: string, [visitors, each]: readonly [number, number], enough: number): Promise<number> {
  let most = 0;
  for (let tried = 0; tried < MAX_TRIES && most <= enough; tried += 1) most = Math.max(most, await megabitsThrough(url, visitors, each));
  return most;
}

/** Returns the rate of bodies in Mbit/s, as a load generator measures it. */
async function megabitsThrough(url: string, visitors: number, each: number): Promise<number> {
  let bytes = 0;
  const begunMs = performance.now();
  await Promise.all(
    Array.from({ length: visitors }, async () => {
      for (let request = 0; request < each; request += 1) {
        const { body } = await ask(url);
        bytes += body.length;
      }
    }),
  );
  expect(bytes).toBe(visitors * each * BODY_BYTES);
  return (bytes * 8) / 1_000 / (performance.now() - begunMs);
}

it.skipIf(skipReason !== null)(
  `a line with a bandwidth limit carries that bandwidth for any number of visitors and connections${skipReason === null ? '' : `: ${skipReason}`}`,
  async () => {
    const narrow = await startSheetLab(10);
    // The measured rate may be lower, because headers, acknowledgements and connection set-up take part of the bandwidth. It may be higher,
    // because data within the burst passes at once.
    for (const [visitors, each] of [
      [1, 30],
      [10, 6],
    ] as const) {
      const megabits = await measureMaxMegabits(narrow, [visitors, each], 6);
      expect(megabits).toBeGreaterThan(6);
      expect(megabits).toBeLessThan(11);
    }
    expect(await measureMaxMegabits(await startSheetLab(40), [10, 20], 15), 'four times the width').toBeGreaterThan(15);
  },
);
