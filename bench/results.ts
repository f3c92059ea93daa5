import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RUN_FORMATS } from '#contract/replies.ts';
import { ResultThread } from '#backend/results/resultThread.ts';
import { EarlyResultReader } from '#backend/services/runs/runWriter.ts';
import { openStore } from '#backend/store/store.ts';
import { storeLongRun } from '#backend/testing/longRun.ts';
import { testOptions } from '#backend/testing/options.ts';
import type { Measurement } from './commands.ts';

const RUN = { runId: 'hour' };
const INTERVAL_MS = 2;

/**
 * Returns the measurement of how the result of an hour's run is computed and exported, with three hosts and five steps, with and without
 * reading ahead. It measures processor time and blocking of the event loop.
 */
export function readResults(parameters: readonly string[]): Measurement {
  const [seconds = '3600', ...others] = parameters;
  if (!/^[1-9]\d{0,4}$/.test(seconds) || others.length > 0)
    throw new Error(
      `${parameters.join(' ')}: leave it out, or enter the length of the run in seconds, from 1 to 99999.\n\nnode bench/main.ts results [SECONDS]`,
    );
  return (signal, print) => measureResults(Number(seconds), signal, print);
}

async function measureResults(seconds: number, signal: AbortSignal, notify: (line: string) => void): Promise<void> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'holdfast-results-'));
  const store = openStore(dataDirectory);
  const log = { failure: (text: string) => notify(text) };
  const results = new ResultThread({
    entry: testOptions(dataDirectory).resultEntry,
    dataDirectory,
    version: 'bench',
    log,
    unstored: () => null,
  });
  try {
    notify(`Storing ${seconds} s of three hosts …`);
    storeLongRun(store, { id: RUN.runId, seconds, hosts: 3, steps: 5 });
    // The first request starts the thread, so that the start is not measured.
    await results.ask('runs.result', { runId: 'nobody' }).catch(() => {});
    const lines = [await measureBlocking('windows, read while the run goes', () => readGrowingRun(results, seconds))];
    lines.push(await measureBlocking('result at its end, made and stored', () => results.ask('own.storeResult', RUN)));
    lines.push(await measureBlocking('result of all windows at once, made and stored', () => results.ask('own.storeResult', RUN)));
    lines.push(await measureBlocking('result, read', () => results.ask('runs.result', RUN)));
    for (const format of RUN_FORMATS) {
      signal.throwIfAborted();
      lines.push(await measureBlocking(`export ${format}`, () => results.ask('runs.export', { ...RUN, format })));
    }
    console.log(['| what | processor, s | longest that the event loop stood, ms |', '| --- | ---: | ---: |', ...lines].join('\n'));
  } finally {
    await results.close();
    store.close();
    await rm(dataDirectory, { recursive: true, force: true });
  }
}

/** Reads the windows second by second, as during a run from hosts. */
async function readGrowingRun(results: ResultThread, seconds: number): Promise<void> {
  let reading: Promise<unknown> = Promise.resolve();
  const ahead = new EarlyResultReader(RUN.runId, {
    ask: (name, input) => {
      const asked = results.ask(name, input);
      reading = asked;
      return asked;
    },
  });
  for (let second = 0; second < seconds; second += 1) {
    ahead.onSecondPassed(second);
    await reading;
  }
}

/** Measures for how long work blocks the event loop. Time in which the thread waits for a processor is not counted. */
async function measureBlocking(what: string, work: () => Promise<unknown>): Promise<string> {
  let stoodMs = 0;
  let [lastMs, lastWorked] = [performance.now(), workedMs()];
  const checkDelay = (): void => {
    const [nowMs, worked] = [performance.now(), workedMs()];
    stoodMs = Math.max(stoodMs, Math.min(nowMs - lastMs - INTERVAL_MS, worked - lastWorked));
    [lastMs, lastWorked] = [nowMs, worked];
  };
  const watch = setInterval(checkDelay, INTERVAL_MS);
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  checkDelay();
  clearInterval(watch);
  return `| ${what} | ${((user + system) / 1e6).toFixed(2)} | ${stoodMs.toFixed(0)} |`;
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
