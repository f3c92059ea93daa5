import { rmSync } from 'node:fs';
import { encodeIntoCompressedBase64, HistogramLogReader } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import type { Plan } from '#core/plan/schema/plan.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { addInto, createHistogram, createTotalHistogram, record } from '#core/statistics/histogram.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import type { Window } from '#core/measurement/window.ts';
import { planWith } from '#core/testing/plans.ts';
import { openStore } from '#backend/store/store.ts';
import { newRun } from '#backend/testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { syntheticGeneratorWindow, syntheticWindow } from '#backend/testing/windows.ts';
import { fileSafe } from '#core/base/text.ts';
import { newRunId } from '#backend/services/runs/recovery.ts';
import { writeHlog } from './exportRun.ts';

function makeWindow(second: number, times: readonly (readonly number[])[]): Window {
  const window = emptyWindow(second, 1);
  for (const [step, values] of times.entries()) {
    const histogram = createHistogram();
    for (const value of values) record(histogram, value);
    findOrAddCell(window, 0, step).times = { serviceOk: histogram };
  }
  return window;
}

interface Line {
  readonly tag: string | undefined;
  readonly count: number;
  readonly highest: number;
}

/** Parses the log with the HDR histogram library's own reader. */
function linesOf(log: string): Line[] {
  const reader = new HistogramLogReader(log);
  const lines: Line[] = [];
  for (let histogram = reader.nextIntervalHistogram(); histogram !== null; histogram = reader.nextIntervalHistogram()) {
    const { tag, totalCount: count, maxValue: highest } = histogram;
    lines.push({ tag: String(tag) === 'NO TAG' ? undefined : tag, count, highest });
  }
  return lines;
}

describe('writeHlog', () => {
  const getLog = (windows: readonly Window[], durationSeconds: number, plan: Plan = planWith()): Promise<string> =>
    writeHlog({ run: runHead, plan, durationSeconds }, [windows]);

  it('writes one line per second, which the reader returns with every count', async () => {
    const windows = [makeWindow(0, [[1_000, 2_000, 5_000_000]]), makeWindow(1, [[]]), makeWindow(2, [[300]])];
    const log = await getLog(windows, 3);
    expect(log).toContain('#[Histogram log format version 1.3]\n#[StartTime: 1767225600.000 ');
    const lines = linesOf(log);
    expect(lines.map(({ tag, count }) => [tag, count])).toEqual([
      [undefined, 3],
      [undefined, 1],
    ]);
    expect(lines[0]?.highest).toBeGreaterThanOrEqual(5_000_000);
    expect(log.split('\n')[4]).toMatch(/^0\.000,1\.000,5000\.000,HIST/);
  });

  it('tags each step of a journey with one word', async () => {
    const plan = planWith({ journey: [{ name: 'log in, then' }, { name: 'page' }] });
    const lines = linesOf(await getLog([makeWindow(0, [[10], [20, 30]])], 1, plan));
    expect(lines).toMatchObject([
      { tag: 'log_in_then', count: 1 },
      { tag: 'page', count: 2 },
    ]);
  });

  it('merges neighbouring seconds of a long run without loss', async () => {
    const windows = Array.from({ length: 9_000 }, (_, second) => makeWindow(second, [[1_000 + second]]));
    const lines = linesOf(await getLog(windows, 9_000));
    expect(lines).toHaveLength(900);
    expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(9_000);
  });

  it('writes the same bytes as the encoder of the library', async () => {
    const times = [
      [1],
      [3_600_000_000],
      [1, 2, 2, 5, 2_047, 2_048, 2_049, 4_096, 1_048_576],
      Array.from({ length: 20_000 }, (_, index) => 900 + (index % 37) * (index % 11)),
    ];
    const windows = [
      ...times.map((values, second) => makeWindow(second, [values])),
      { ...syntheticWindow(4, { perSecond: 3_000 }), second: 4 },
    ];
    const lines = (await getLog(windows, 5)).trimEnd().split('\n').slice(4);
    expect(lines).toHaveLength(windows.length);
    for (const [index, { cells }] of windows.entries()) {
      const sum = createTotalHistogram();
      const ownHistogram = cells[0]?.times.serviceOk;
      if (ownHistogram !== undefined) addInto(sum, ownHistogram);
      expect(lines[index]?.split(',').at(-1)).toBe(encodeIntoCompressedBase64(sum));
    }
  });

  it('yields to other work and to writes to the store while it writes', async () => {
    const directory = temporaryDirectory();
    const store = openStore(directory);
    try {
      const key = store.create(newRun('long'));
      const going = store.create(newRun('going'));
      const progress = { requests: 1, completedPerSecond: 1, nowMs: 1 };
      for (let second = 0; second < 300; second += 1) store.append(key, syntheticGeneratorWindow(second, { perSecond: 100 }), progress);
      let turns = 0;
      const other = setInterval(() => {
        store.append(going, syntheticGeneratorWindow(turns, { perSecond: 5 }), progress);
        turns += 1;
      }, 0);
      const log = await writeHlog({ run: runHead, plan: planWith(), durationSeconds: 300 }, store.windowSlices(key)).finally(() =>
        clearInterval(other),
      );
      expect(linesOf(log).reduce((sum, { count }) => sum + count, 0)).toBe(30_000);
      expect(turns).toBeGreaterThan(1);
    } finally {
      store.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('names of exported files and ids of runs', () => {
  it.each([
    ['Friday, before / after', 'friday-before-after'],
    ['../../etc/passwd', 'etc-passwd'],
    ['¿Aguantará?', 'aguantará'],
    ['***', 'run'],
    ['x'.repeat(200), 'x'.repeat(60)],
  ])('convert %s to %s', (name, expected) => expect(fileSafe(name)).toBe(expected));

  it('newRunId: ids differ and sort by time', () => {
    const earlier = newRunId(new Date('2026-11-21T09:30:15Z'));
    expect(earlier).toMatch(/^20261121-093015-[0-9a-f]{6}$/);
    expect(newRunId(new Date('2026-11-21T09:30:16Z')) > earlier).toBe(true);
    expect(new Set(Array.from({ length: 100 }, () => newRunId(new Date(0)))).size).toBe(100);
  });
});
