import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { JsonText } from '#contract/rpc/server.ts';
import { markStorable } from '#core/plan/hideSecrets.ts';
import { endBySeconds, generatorWith } from '#core/judgement/verdict/testing/judged.ts';
import type { EngineEnd, EngineSink } from '#engine/engine.ts';
import { openLog } from '#backend/log.ts';
import { RunMonitors } from '#backend/monitors/runMonitors.ts';
import { createRedaction } from '#backend/redaction.ts';
import { storeResult } from '#backend/results/resultOf.ts';
import { ResultThread } from '#backend/results/resultThread.ts';
import { openStore } from '#backend/store/store.ts';
import { testOptions } from '#backend/testing/options.ts';
import { planFor } from '#backend/testing/plans.ts';
import { headFor, newRun } from '#backend/testing/runs.ts';
import { syntheticReading, syntheticWindow } from '#backend/testing/windows.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { resolveJob } from '../resolveJob.ts';
import { EarlyResultReader } from './runWriter.ts';
import { RowsOfRun } from './usedRows.ts';
import { RunSession } from './runSession.ts';

type Ask = ResultThread['ask'];
const emptyReply: Ask = async () => new JsonText('{}');

const REQUEST_SCHEMA = z.object({ runId: z.literal('long'), from: z.number(), before: z.number() });

/** Returns the names of the requests during a run of this length. */
async function requestsDuring(seconds: number, ask: Ask = emptyReply): Promise<string[]> {
  const askedNames: string[] = [];
  const ahead = new EarlyResultReader('long', {
    ask: (name, input) => {
      const { from, before } = REQUEST_SCHEMA.parse(input);
      askedNames.push(`${name} ${from} to ${before}`);
      return ask(name, input);
    },
  });
  for (let second = 0; second < seconds; second += 1) {
    ahead.onSecondPassed(second);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return askedNames;
}

describe('windows of an active run', () => {
  it('are read from the third minute until the end of the first hour: every ten seconds, half a minute late, at most a minute at once', async () => {
    expect(await requestsDuring(120)).toEqual([]);
    const askedNames = await requestsDuring(5_000);
    expect(askedNames.slice(0, 4)).toEqual(['own.readOn 0 to 60', 'own.readOn 60 to 91', 'own.readOn 91 to 101', 'own.readOn 101 to 111']);
    expect(askedNames.length).toBeLessThan(360);
    expect(askedNames.at(-1)).toBe('own.readOn 3551 to 3561');
  });

  it('are read one range after the other, however long one takes', async () => {
    expect(await requestsDuring(500, () => new Promise(() => {}))).toEqual(['own.readOn 0 to 60']);
  });

  it('continue to be read after one range could not be read', async () => {
    const askedNames = await requestsDuring(140, () => Promise.reject(new Error('The thread is gone.')));
    expect(askedNames).toEqual(['own.readOn 0 to 60', 'own.readOn 60 to 91', 'own.readOn 91 to 101']);
  });
});

it('windows of two hosts that were read ahead give the same result as windows that are read all at once', async () => {
  const dataDirectory = temporaryDirectory();
  const store = openStore(dataDirectory);
  const redaction = createRedaction();
  const log = openLog(dataDirectory, redaction);
  const thread = new ResultThread({
    entry: testOptions(dataDirectory).resultEntry,
    dataDirectory,
    version: '0.0.0-test',
    log,
    unstored: () => null,
  });
  const responded: string[] = [];
  const ask: Ask = async (name, input) => {
    const response = await thread.ask(name, input);
    responded.push(name);
    return response;
  };
  const plan = planFor('http://127.0.0.1:1/', { load: { model: 'connections', stages: [{ name: 'load', connections: 2, seconds: 200 }] } });
  const head = headFor('long');
  const { figures: _figures, overloadedSeconds: _overloadedBy, readings: _readings, ...facts } = generatorWith();
  const { promise: done, resolve: end } = Promise.withResolvers<EngineEnd>();
  const sinks: EngineSink[] = [];
  const load = {
    attach: (sink: EngineSink) => {
      sinks.push(sink);
      return { threads: 1, engine: 'native', engineVersion: '1', done, stop: () => {}, startAt: () => {} };
    },
    facts: () => facts,
    measureClock: async () => null,
  };
  const reportSeconds = (from: number, before: number): void => {
    for (let second = from; second < before; second += 1)
      for (const [seed, sink] of sinks.entries()) sink.onWindow(syntheticWindow(second, { perSecond: 30, seed }), syntheticReading(second));
  };
  try {
    const session = new RunSession(
      { store, log, redaction, results: { ask }, onChange: () => {} },
      {
        key: store.create(newRun('long', { head, plan: markStorable(plan) })),
        head,
        plan,
        job: resolveJob(plan, { runId: head.id, version: '0.0.0-test', values: new Map() }),
        generators: ['one', 'other'].map((name) => ({ name, load })),
        isLoadMadeHere: false,
        monitors: await RunMonitors.open(
          { monitors: [], generators: [], mustWork: true },
          { enterHost: () => Promise.reject(new Error('There is none.')), secret: () => '' },
        ),
        visits: null,
        stored: null,
        rows: new RowsOfRun(plan, {}),
        metrics: null,
      },
    );
    reportSeconds(0, 121);
    await vi.waitFor(() => expect(responded).toEqual(['own.readOn']), { timeout: 20_000 });
    reportSeconds(121, 200);
    end({ reason: 'completed', problem: null, ...endBySeconds(plan), silentAddresses: {}, leftOut: {} });
    await session.done;
    expect(responded).toEqual(['own.readOn', 'own.readOn', 'own.storeResult']);
    const record = store.find('long');
    const newResult = store.result(record.key);
    expect(newResult).toMatchObject({ durationSeconds: 200, outcomes: { requests: { sent: 12_000, ok: 12_000, inFlight: 0 } } });
    expect(storeResult(store, record)).toEqual(newResult);
  } finally {
    await thread.close();
    store.close();
  }
});
