import { describe, expect, it } from 'vitest';
import { MACHINE_CATALOGUE, MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { facts, healthyStep, point, postgresThatReads } from '../testing/facts.ts';
import { idsOf, saidBy } from '../testing/found.ts';

const SECONDS = 90;
const second = Array.from({ length: SECONDS }, (_unused, index) => index);
const windows = second.map((at) => point(at, { started: 20, completed: 20, ok: 20 }));
const base = { number: 0, host: null, state: 'ended', problem: null, errorMs: 1, second, width: second.map(() => 1) } as const;

/** Sockets are listed every 20 s; 22 of them waited before the load. */
function machine(destination: string, perSecond: number): MonitorResult {
  const listedAt = (at: number): number => Math.floor(at / 20) * 20;
  return {
    ...base,
    second: [...second],
    name: 'this computer',
    kind: 'machine',
    role: 'generator',
    quantities: [...MACHINE_CATALOGUE.quantities],
    limits: [{ chart: MACHINE_CHARTS.holders, value: 28_232, words: 'all ports for one destination' }],
    values: { [`timeWait.to:${destination}`]: second.map((at) => (listedAt(at) < 60 ? 22 : 0) + perSecond * Math.min(60, listedAt(at))) },
  };
}

const postgres = (perSecond: number): MonitorResult => postgresThatReads(SECONDS, { newConnections: () => perSecond });

const run = (monitors: MonitorResult[]) => facts(healthyStep(), { windows, monitors });

describe('a program that connects anew for each request', () => {
  it('is told by the ports that wait towards the database, and is not short of them', () => {
    const given = run([machine('127.0.0.1:5432', 20)]);
    const [found] = saidBy('connectionsBehind', given);
    expect(found).toMatchObject({ level: 'info', confidence: 'likely' });
    expect(found?.sentence).toBe(
      'This computer opens a connection to 127.0.0.1:5432 (PostgreSQL, by its port) for nearly every request: 1,200 are in TIME_WAIT after 1,200 successful responses in 60 s.',
    );
    expect(found?.figures).toContainEqual({ what: 'In TIME_WAIT towards 127.0.0.1:5432', value: '1,200 of 28,232 ports' });
    expect(idsOf(given)).not.toContain('hopPorts.this computer');
  });

  it('is told by what the database counts, once, with the ports beside it', () => {
    const [found, ...others] = saidBy('connectionsBehind', run([machine('127.0.0.1:54330', 20), postgres(20)]));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ confidence: 'certain' });
    expect(found?.sentence).toBe(
      'The server opens a connection to PostgreSQL for nearly every request: 1,800 for 1,800 successful responses.',
    );
    expect(found?.figures).toContainEqual({ what: 'In TIME_WAIT towards 127.0.0.1:54330', value: '1,200 of 28,232 ports' });
  });

  it('for some of the requests only is not said to be for nearly every one', () => {
    const [found] = saidBy('connectionsBehind', run([postgres(12)]));
    expect(found?.sentence).toBe(
      'The server opens a connection to PostgreSQL for more than every second request: 1,080 for 1,800 successful responses.',
    );
  });

  it('is none where another program had its connections for some seconds beside the load', () => {
    const beside = machine('127.0.0.1:39707', 0);
    const column = second.map((at) => (at >= 10 && at < 30 ? 134 : null));
    expect(saidBy('connectionsBehind', run([{ ...beside, values: { 'timeWait.to:127.0.0.1:39707': column } }]))).toEqual([]);
  });

  it('is none where another program had as many and more, but nothing waited in a minute full of answers', () => {
    const seconds = Array.from({ length: 190 }, (_unused, index) => index);
    const beside = machine('127.0.0.1:40855', 0);
    const column = seconds.map((at) => (at < 94 ? null : 20 * (at - 80)));
    const given = facts(healthyStep(), {
      windows: seconds.map((at) => point(at, { started: 10, completed: 10, ok: 10 })),
      monitors: [{ ...beside, second: seconds, width: seconds.map(() => 1), values: { 'timeWait.to:127.0.0.1:40855': column } }],
    });
    expect(saidBy('connectionsBehind', given)).toEqual([]);
  });

  it('is none where connections are kept, or where they are those of the load itself', () => {
    expect(saidBy('connectionsBehind', run([machine('127.0.0.1:5432', 0), postgres(0.3)]))).toEqual([]);
    expect(saidBy('connectionsBehind', run([machine('127.0.0.1:8888', 20)]))).toEqual([]);
    expect(saidBy('connectionsBehind', run([]))).toEqual([]);
  });
});
