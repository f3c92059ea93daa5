import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { GeneratorReading, RunEvent } from '#core/result/schema.ts';
import { Totals } from '#core/result/totals.ts';
import type { Window } from '#core/measurement/window.ts';
import type { EngineEnd } from '../engine.ts';
import { buildJob } from '../testing/runLoad.ts';
import { startK6 } from './startK6.ts';
import { findK6 } from './findK6.ts';
import { makeStandIn, type StandIn } from './testing/standIn.ts';
import type { StandInOptions } from './testing/standInOptions.ts';

let standIn: StandIn | null = null;
afterEach(() => standIn?.remove());

interface K6Result {
  readonly end: EngineEnd;
  readonly windows: readonly Window[];
  readonly readings: readonly GeneratorReading[];
  readonly events: readonly RunEvent[];
  readonly stages: readonly number[];
  readonly drains: number;
  readonly totals: Totals;
}

const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 20, seconds: 1 }] };

async function run(options: StandInOptions, changes: Partial<PlanInput> = {}, stopAfterMs: number | null = null): Promise<K6Result> {
  standIn = await makeStandIn(options);
  const job = buildJob(['http://127.0.0.1:1/'], { engine: 'k6', load, ...changes });
  const windows: Window[] = [];
  const readings: GeneratorReading[] = [];
  const events: RunEvent[] = [];
  const stages: number[] = [];
  let drains = 0;
  const going = startK6(job, await findK6(standIn.path), {
    onDraining: () => (drains += 1),
    onStage: (stage) => stages.push(stage),
    onWindow: (window, reading) => {
      windows.push(window);
      readings.push(reading);
    },
    onEvent: (event) => events.push(event),
  });
  if (stopAfterMs !== null) setTimeout(() => going.stop(), stopAfterMs);
  const end = await going.done;
  const totals = new Totals();
  for (const window of windows) totals.add(window);
  return { end, windows, readings, events, stages, drains, totals };
}

describe('a load of k6 (replaced by a program with the same output)', () => {
  it('becomes windows without gaps, request outcomes that balance, and readings of this machine', async () => {
    const { end, windows, readings, events, stages, totals } = await run({});
    expect(end).toMatchObject({ reason: 'completed', problem: null, stages: [{ startedAtSecond: 0, endedAtSecond: 1 }] });
    expect(windows.map(({ second }) => second)).toEqual(windows.map((_, index) => index));
    expect(readings.map(({ second }) => second)).toEqual(windows.map(({ second }) => second));
    expect(stages).toEqual([0]);
    expect(events.map(({ kind }) => kind)).toEqual(['k6', 'k6']);
    expect(events.map(({ text }) => text)).toContain('k6: a warning of the stand-in');
    expect(totals.outcomes(buildJob(['http://127.0.0.1:1/'], { engine: 'k6', load }).plan, true)).toMatchObject({
      balances: true,
      outcomes: {
        journeys: { planned: 20, started: 20, finished: 20, running: 0 },
        requests: { sent: 20, ok: 18, httpError: 2, inFlight: 0 },
      },
    });
    expect(totals.sum().times.serviceOk?.maxValue).toBe(5_000);
  });

  it('stops gracefully, counts the journeys that were not started, and ends k6', async () => {
    const { end, totals, drains } = await run(
      { journeys: 1_000 },
      { load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 1_000, seconds: 50 }] } },
      1_500,
    );
    expect(end).toMatchObject({ reason: 'stopped', problem: null });
    expect(drains).toBe(1);
    const plan = buildJob([], {
      engine: 'k6',
      targets: [{ url: 'http://127.0.0.1:1/' }],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 1_000, seconds: 50 }] },
    }).plan;
    const { outcomes, balances } = totals.outcomes(plan, true);
    expect(balances).toBe(true);
    expect(outcomes.journeys.planned).toBe(1_000);
    expect(outcomes.journeys.notStarted.stopped).toBe(1_000 - outcomes.journeys.started);
  });

  it('removes its files, which may contain passwords, once k6 has read them', async () => {
    const files: string[][] = [];
    const folders = async (): Promise<string[]> =>
      (await readdir(tmpdir())).filter((name) => name.startsWith(`holdfast-k6-${process.pid}-`));
    const look = async (): Promise<void> => {
      for (const name of await folders()) {
        // The folder may be removed before it is read.
        const names = await readdir(join(tmpdir(), name)).catch(() => null);
        if (names !== null) files.push(names);
      }
    };
    const timer = setInterval(() => void look(), 50);
    await run({ journeys: 30 }, { load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 30, seconds: 1.5 }] } });
    clearInterval(timer);
    expect(files.some((names) => names.includes('script.js'))).toBe(true);
    expect(files.at(-1)).toEqual([]);
    expect(await folders()).toEqual([]);
  });

  it('stops for safety if too many requests fail', async () => {
    const { end, events } = await run(
      { journeys: 5_000, perSecond: 500 },
      {
        load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 500, seconds: 60 }] },
        safety: { stopAtErrorShare: 0.05, errorWindowSeconds: 1 },
      },
    );
    expect(end).toMatchObject({ reason: 'safety', problem: { code: 'SAFETY_ERROR_SHARE' } });
    expect(events.filter(({ kind }) => kind === 'safety')).toHaveLength(1);
  });

  it('reports the error of k6 if it fails', async () => {
    const { end, windows } = await run({ fails: true });
    expect(end).toMatchObject({ reason: 'failed', problem: { code: 'K6_FAILED' }, endedAtSecond: 0 });
    expect(end.problem?.message).toContain('the script threw an exception. It said: ReferenceError: nothing is not defined');
    expect(windows.reduce((sum, { journeys }) => sum + journeys.notStartedStopped, 0)).toBe(20);
  });

  it('reports that k6 is missing, and how to install it', async () => {
    await expect(findK6('/nowhere/k6')).rejects.toMatchObject({ code: 'K6_MISSING', hint: expect.stringMatching(/^Install it: \S+/) });
  });

  it('refuses a k6 that is too old', async () => {
    standIn = await makeStandIn({ version: '0.49.0' });
    await expect(findK6(standIn.path)).rejects.toMatchObject({ code: 'K6_VERSION', message: expect.stringContaining('0.49.0') });
  });
});
