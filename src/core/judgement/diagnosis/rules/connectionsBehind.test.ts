import { describe, expect, it } from 'vitest';
import { MACHINE_CATALOGUE, MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { facts, healthyStep, point, postgresThatReads } from '../testing/facts.ts';
import { planWith } from '#core/testing/plans.ts';
import { idsOf, findingsBy } from '../testing/found.ts';

const SECONDS = 90;
const second = Array.from({ length: SECONDS }, (_unused, index) => index);
const windows = second.map((at) => point(at, { started: 20, completed: 20, ok: 20 }));
const base = { number: 0, host: null, state: 'ended', problem: null, errorMs: 1, second, width: second.map(() => 1) } as const;

/** Returns a monitor that lists sockets every 20 s; 22 of them waited before the load. */
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

describe('connectionsBehind', () => {
  it('finds ports that wait towards the database, without a shortage', () => {
    const given = run([machine('127.0.0.1:5432', 20)]);
    const [found] = findingsBy('connectionsBehind', given);
    expect(found).toMatchObject({ level: 'info', confidence: 'possible' });
    expect(found?.sentence).toBe(
      'This computer opens a connection to 127.0.0.1:5432 (PostgreSQL, by its port) for nearly every request: 1,200 are in TIME_WAIT after 1,200 successful responses in 60 s.',
    );
    expect(found?.figures).toContainEqual({ what: 'In TIME_WAIT towards 127.0.0.1:5432', value: '1,200 of 28,232 ports' });
    expect(idsOf(given)).not.toContain('hopPorts.this computer');
  });

  it("uses the database's counter once, with the ports as evidence", () => {
    const [found, ...others] = findingsBy('connectionsBehind', run([machine('127.0.0.1:54330', 20), postgres(20)]));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ confidence: 'likely' });
    expect(found?.sentence).toBe(
      'The server opens a connection to PostgreSQL for nearly every request: 1,800 for 1,800 successful responses.',
    );
    expect(found?.figures).toContainEqual({ what: 'In TIME_WAIT towards 127.0.0.1:54330', value: '1,200 of 28,232 ports' });
  });

  it('does not say “nearly every” if only some requests open a connection', () => {
    const [found] = findingsBy('connectionsBehind', run([postgres(12)]));
    expect(found?.sentence).toBe(
      'The server opens a connection to PostgreSQL for more than every second request: 1,080 for 1,800 successful responses.',
    );
  });

  it.each([
    ['existed before the load', (at: number) => 900 + 10 * Math.min(60, at)],
    ['have a rate of their own', (at: number) => (at < 30 ? 5 * at : 150 + 45 * Math.min(30, at - 30))],
  ])('ignores another program on the same computer whose connections %s', (_name, waiting) => {
    const beside = machine('127.0.0.1:5432', 0);
    expect(findingsBy('connectionsBehind', run([{ ...beside, values: { 'timeWait.to:127.0.0.1:5432': second.map(waiting) } }]))).toEqual(
      [],
    );
  });

  it('ignores another program that had connections for some seconds of the load', () => {
    const beside = machine('127.0.0.1:39707', 0);
    const column = second.map((at) => (at >= 10 && at < 30 ? 134 : null));
    expect(findingsBy('connectionsBehind', run([{ ...beside, values: { 'timeWait.to:127.0.0.1:39707': column } }]))).toEqual([]);
  });

  it('ignores another program with more connections if nothing waited in a minute full of responses', () => {
    const seconds = Array.from({ length: 190 }, (_unused, index) => index);
    const beside = machine('127.0.0.1:40855', 0);
    const column = seconds.map((at) => (at < 94 ? null : 20 * (at - 80)));
    const given = facts(healthyStep(), {
      windows: seconds.map((at) => point(at, { started: 10, completed: 10, ok: 10 })),
      monitors: [{ ...beside, second: seconds, width: seconds.map(() => 1), values: { 'timeWait.to:127.0.0.1:40855': column } }],
    });
    expect(findingsBy('connectionsBehind', given)).toEqual([]);
  });

  it('ignores persistent connections and those of the load itself', () => {
    expect(findingsBy('connectionsBehind', run([machine('127.0.0.1:5432', 0), postgres(0.3)]))).toEqual([]);
    expect(findingsBy('connectionsBehind', run([machine('127.0.0.1:8888', 20)]))).toEqual([]);
    expect(findingsBy('connectionsBehind', run([]))).toEqual([]);
  });
});

describe('connectionsBehind at its thresholds', () => {
  /** Changes to a run in which ports wait towards a database after each second with ten responses. */
  interface Changes {
    readonly waiting: (second: number) => number | null;
    readonly seconds?: number;
    readonly ports?: number;
    readonly key?: string;
    readonly ok?: (second: number) => number;
    readonly monitor?: Partial<MonitorResult>;
    readonly targets?: readonly string[];
  }
  function of({ waiting, seconds = 90, ports = 200, key = 'timeWait.to:10.0.0.9:3306', ok = () => 10, monitor = {}, targets }: Changes) {
    const all = Array.from({ length: seconds }, (_unused, at) => at);
    const limits = [
      { chart: 'Other', value: 5, words: 'another' },
      { chart: MACHINE_CHARTS.holders, value: ports, words: 'all ports' },
    ];
    const read = {
      ...machine('', 0),
      name: 'web1',
      second: all,
      width: all.map(() => 1),
      values: { [key]: all.map(waiting) },
      limits,
      ...monitor,
    };
    const given = facts(healthyStep(), { windows: all.map((at) => point(at, { ok: ok(at) })), monitors: [read] });
    const plan = targets === undefined ? given.plan : planWith({ targets: targets.map((url) => ({ url })) });
    return findingsBy('connectionsBehind', { ...given, plan })[0];
  }
  const growing =
    (perSecond: number, before = 0) =>
    (second: number) =>
      before + (second === 0 ? 0 : perSecond * Math.min(60, second + 1));

  it('reports its figures', () => {
    const finding = of({ waiting: growing(8) });
    expect(finding?.sentence).toContain(
      'web1 opens a connection to 10.0.0.9:3306 (MySQL, by its port) for nearly every request: 480 are in TIME_WAIT after 600',
    );
    expect(finding?.evidence).toHaveLength(2);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['480 of 200 ports', '0.8']);
    expect(of({ waiting: growing(7.9) })?.sentence).toContain('for more than every second request');
    expect(of({ waiting: growing(8), key: 'timeWait.to:10.0.0.9:81' })?.sentence).toContain('to 10.0.0.9:81 for nearly');
    expect(of({ waiting: growing(8), monitor: { limits: [] } })?.figures?.[0]?.value).toBe('480');
  });

  it('warns from half of the ports on', () => {
    expect(of({ waiting: growing(8), ports: 960 })?.level).toBe('info');
    expect(of({ waiting: growing(8), ports: 959 })?.level).toBe('warning');
    expect(of({ waiting: growing(8), monitor: { limits: [] } })?.level).toBe('info');
  });

  it.each<[string, Changes, boolean]>([
    ['connections for half of the responses', { waiting: growing(5) }, true],
    ['connections for fewer than half', { waiting: growing(4.9) }, false],
    ['waiting ports from before excluded', { waiting: growing(4.5, 50) }, false],
    ['a hundred ports', { waiting: growing(5), seconds: 20 }, true],
    ['fewer ports', { waiting: growing(5), seconds: 19 }, false],
    ['99 responses', { waiting: growing(10), seconds: 9, ok: () => 11 }, false],
    ['more than half of the seconds', { waiting: (second) => (second < 50 ? 10 * second : 60) }, true],
    ['no more than half of the seconds', { waiting: (second) => (second < 49 ? 10 * second : 60) }, false],
    ['almost none in a whole minute', { waiting: (second) => (second === 80 ? 59 : growing(10)(second)) }, false],
    ['10 % in a whole minute', { waiting: (second) => (second === 80 ? 60 : growing(10)(second)) }, true],
    ['another quantity', { waiting: growing(8), key: 'timeWait.from:10.0.0.9:3306' }, false],
    ['all destinations', { waiting: growing(8), key: 'timeWait.to' }, false],
    ['another monitor', { waiting: growing(8), monitor: { kind: 'haproxy' } }, false],
    ['the port of a target', { waiting: growing(8), key: 'timeWait.to:10.0.0.9:8080', targets: ['http://a:8080/'] }, false],
    ['the default port of a target', { waiting: growing(8), key: 'timeWait.to:10.0.0.9:80', targets: ['http://a/'] }, false],
    ['the default port of another scheme', { waiting: growing(8), key: 'timeWait.to:10.0.0.9:80', targets: ['https://a/'] }, true],
    ['the default port of an https target', { waiting: growing(8), key: 'timeWait.to:10.0.0.9:443', targets: ['https://a/'] }, false],
  ])('decides by the figures whether it reports a finding: %s', (_name, changes, isReported) => {
    expect(of(changes) !== undefined).toBe(isReported);
  });

  it('requires a hundred connections and half of the responses for a database counter', () => {
    const counted = (perSecond: number, ok: number, width = 2) => {
      const monitor = {
        ...postgresThatReads(5, { newConnections: () => perSecond }),
        width: Array(5).fill(width),
        second: [0, 2, 4, 6, 8],
      };
      const windows = Array.from({ length: 12 }, (_unused, at) => point(at, { ok: at < 10 ? ok : 1_000 }));
      return findingsBy('connectionsBehind', facts(healthyStep(), { windows, monitors: [monitor] }))[0];
    };
    expect(counted(10, 20)?.sentence).toContain('for more than every second request: 100 for 200 successful responses');
    expect(counted(10, 20)?.evidence[0]).toContain('10/s on average');
    expect(counted(10, 20)?.figures?.map(({ value }) => value)).toEqual(['100', '0.5']);
    expect(counted(10, 21)).toBeUndefined();
    expect(counted(9.9, 19)).toBeUndefined();
    expect(counted(10, 10)).toBeDefined();
    expect(counted(10, 9)).toBeUndefined();
  });

  it('reports at most two places', () => {
    const monitors = ['a', 'b', 'c'].map((name) => ({ ...postgres(20), name }));
    expect(findingsBy('connectionsBehind', run(monitors))).toHaveLength(2);
  });
});
