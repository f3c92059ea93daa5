import { rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '#backend/store/store.ts';
import { headFor, newRun } from '#backend/testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { createGraphCalls } from './graphs.ts';

const STARTED_MS = Date.UTC(2014, 3, 25, 10, 0, 30);

/** Returns rows a minute apart, beginning a minute before the run. */
function csv(values: readonly (number | '')[], zone = 'Z'): string {
  const rows = values.map(
    (value, minute) => `${new Date(STARTED_MS - 60_000 + minute * 60_000).toISOString().slice(0, 19)}${zone},${value},7`,
  );
  return ['Time,CPU (%),Connections', ...rows].join('\n');
}

describe('a graph attached to a run', () => {
  let directory: string;
  let store: Store;
  let run: number;
  const attach = (text: string, more: { readonly zone?: string; readonly replace?: boolean; readonly name?: string } = {}) =>
    createGraphCalls(store)['monitors.attachGraph']({ runId: 'one', name: 'rds.csv', zone: null, replace: false, ...more, text });
  const end = (): boolean =>
    store.end(run, { state: 'finished', endedAt: new Date(STARTED_MS + 180_000).toISOString(), because: null }, null);
  beforeEach(() => {
    directory = temporaryDirectory();
    store = openStore(directory);
    run = store.create(newRun('one', { head: headFor('one', { startedAt: new Date(STARTED_MS).toISOString() }) }));
  });
  afterEach(() => {
    store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it("is converted to the run's clock, with the units of its column names and its gaps", () => {
    end();
    expect(attach(csv([10, 20, '', 80, 90, 95, 99, 99]))).toEqual({
      columns: ['CPU (%)', 'Connections'],
      leftOut: [],
      rows: 6,
      rowsOutside: 2,
    });
    expect(store.monitors(run)).toMatchObject([
      {
        number: 0,
        name: 'rds.csv',
        kind: 'graph',
        quantities: [
          { id: 'graph.1', words: 'CPU (%)', unit: 'share' },
          { id: 'graph.2', words: 'Connections', unit: 'count' },
        ],
        second: [-60, 0, 60, 120, 180, 240],
        width: [60, 60, 60, 60, 60, 60],
        values: { 'graph.1': [0.1, 0.2, null, 0.8, 0.9, 0.95], 'graph.2': [7, 7, 7, 7, 7, 7] },
      },
    ]);
  });

  it('uses the start of the run that a host reported by its clock', () => {
    const startedAt = new Date(STARTED_MS + 5_000).toISOString();
    store.addEvent(run, { second: 0, kind: 'clock', text: 'Second 0 was then.', data: { startedAt, errorMs: 1, roundTripMs: 2 } });
    end();
    attach(csv([10, 20, 30]));
    expect(store.monitors(run)[0]?.second).toEqual([-5, 55]);
  });

  it('is added beside others, and replaced only on request', () => {
    end();
    attach(csv([10, 20]));
    attach(csv([10, 20]), { name: 'other.csv' });
    expect(() => attach(csv([30, 40]))).toThrow(expect.objectContaining({ code: 'GRAPH_ATTACHED' }));
    attach(csv([30, 40]), { replace: true });
    expect(store.monitors(run).map(({ name, values }) => [name, values['graph.1']])).toEqual([
      ['rds.csv', [0.3, 0.4]],
      ['other.csv', [0.1, 0.2]],
    ]);
  });

  it("is rejected during a run, without a time zone, outside the run's time, or if it cannot be read", () => {
    expect(() => attach(csv([10]))).toThrow(expect.objectContaining({ code: 'RUN_GOING' }));
    end();
    expect(() => attach(csv([10, 20], ''))).toThrow(
      expect.objectContaining({ code: 'GRAPH_UNREADABLE', message: expect.stringContaining('time zone') }),
    );
    expect(() => attach(csv([10, 20], ''), { zone: 'CEST' })).toThrow(expect.objectContaining({ code: 'BAD_TIME_ZONE' }));
    expect(() => attach(csv([10, 20], ''), { zone: '+02:00' })).toThrow(
      expect.objectContaining({ code: 'GRAPH_ELSEWHEN', message: expect.stringContaining('it would match if its times were 2 h later') }),
    );
    expect(() => attach('Time,CPU\nyesterday,3')).toThrow(expect.objectContaining({ code: 'GRAPH_UNREADABLE' }));
    expect(store.monitors(run)).toEqual([]);
    attach(csv([10, 20], ''), { zone: 'UTC' });
    expect(store.monitors(run)).toHaveLength(1);
  });
});
