import { describe, expect, it } from 'vitest';
import { MACHINE_CATALOGUE, MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { unknownReading } from '#core/result/readings.ts';
import { facts, generatorThatReads, healthyStep, point } from '../testing/facts.ts';
import { idsOf, findingsBy } from '../testing/found.ts';

const PORTS = 2_000;
const PER_SECOND = 200;
const SECONDS = 20;
const FULL_AT = PORTS / PER_SECOND;

function failing(from = FULL_AT) {
  const windows = Array.from({ length: SECONDS }, (_unused, second) =>
    second < from
      ? point(second, { started: PER_SECOND, completed: PER_SECOND, ok: PER_SECOND })
      : point(second, { started: PER_SECOND, completed: PER_SECOND, ok: 0, failed: PER_SECOND, status: { '500': PER_SECOND } }),
  );
  const [ok, sent] = [from * PER_SECOND, SECONDS * PER_SECOND];
  const requests = { ...emptyRequestOutcomes(), sent, ok, httpError: sent - ok };
  return { windows, step: healthyStep({ requests, status: { '200': ok, '500': sent - ok }, connectionsOpened: 20 }) };
}

const waitingAt = (second: number): number => Math.min(PORTS, PER_SECOND * (second + 1));

function monitor(waiting: (second: number) => number): MonitorResult {
  const second = Array.from({ length: SECONDS }, (_unused, index) => index);
  return {
    number: 0,
    name: 'web-1',
    kind: 'machine',
    role: 'target',
    host: 'web-1',
    quantities: [...MACHINE_CATALOGUE.quantities],
    limits: [{ chart: MACHINE_CHARTS.holders, value: PORTS, words: 'all ports for one destination' }],
    state: 'ended',
    problem: null,
    errorMs: 1,
    second,
    width: second.map(() => 1),
    values: { 'timeWait.to:10.0.0.9:5432': second.map(waiting), 'timeWait.to:10.0.0.9:6379': second.map(() => 12) },
  };
}

it('hopPorts: names the hop and its destination by the ports that wait when failures begin', () => {
  const { windows, step } = failing();
  const given = facts(step, { windows, monitors: [monitor(waitingAt)] });
  const [finding] = findingsBy('hopPorts', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'likely', range: { fromSecond: FULL_AT, toSecond: SECONDS } });
  expect(finding?.sentence).toContain('web-1 ran out of ports for connections to 10.0.0.9:5432: all 2,000 were in TIME_WAIT');
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it("hopPorts: uses this computer's own count, without a destination, if the target runs on this computer", () => {
  const { windows, step } = failing();
  const [generator] = [generatorThatReads([])];
  const readings = windows.map(({ second }) => ({ ...unknownReading(second), timeWaitSockets: waitingAt(second) }));
  const given = facts(step, { windows, generators: generator === undefined ? [] : [{ ...generator, outgoingPorts: PORTS, readings }] });
  expect(findingsBy('hopPorts', given)[0]).toMatchObject({
    confidence: 'possible',
    sentence: expect.stringContaining('A program on this computer'),
  });
  expect(findingsBy('hopPorts', { ...given, connectionsOpened: PORTS })).toEqual([]);
});

it('hopPorts: reports nothing without failures, without waiting ports, or if failures begin at another time', () => {
  const early = failing(3);
  expect(findingsBy('hopPorts', facts(early.step, { windows: early.windows, monitors: [monitor(waitingAt)] }))).toEqual([]);
  const { windows, step } = failing();
  expect(findingsBy('hopPorts', facts(step, { windows, monitors: [monitor(() => 40)] }))).toEqual([]);
  expect(findingsBy('hopPorts', facts(step, { windows }))).toEqual([]);
  expect(findingsBy('hopPorts', facts(healthyStep(), { monitors: [monitor(waitingAt)] }))).toEqual([]);
});

it("hopPorts: requires most of the machine's ports to wait, and their number to be known", () => {
  const { windows, step } = failing();
  const limits = (ports: number) => [{ chart: MACHINE_CHARTS.holders, value: ports, words: 'all ports for one destination' }];
  const given = (ports: number) => facts(step, { windows, monitors: [{ ...monitor(waitingAt), limits: limits(ports) }] });
  expect(findingsBy('hopPorts', given(28_232))).toEqual([]);
  expect(idsOf(given(28_232))).toContain('unexpectedStatus.500');
  expect(findingsBy('hopPorts', given(2_200))).toHaveLength(1);
  expect(findingsBy('hopPorts', facts(step, { windows, monitors: [{ ...monitor(waitingAt), limits: [] }] }))).toEqual([]);
});

describe('hopPorts at its thresholds', () => {
  /** Changes to a run with 100 ports and failures from second 10 on. `waiting`: ports in TIME_WAIT at each second. */
  interface Changes {
    readonly waiting?: (second: number) => number | null;
    readonly failed?: number;
    readonly from?: number;
    readonly requests?: Partial<ReturnType<typeof emptyRequestOutcomes>>;
    readonly monitor?: Partial<MonitorResult>;
  }
  const until = (full: number) => (second: number) => (second < full ? 71 : 80);
  function of({ waiting = until(10), failed = 11, from = 10, requests = {}, monitor: changes = {} }: Changes = {}) {
    const windows = Array.from({ length: SECONDS }, (_unused, second) =>
      point(second, second < from ? {} : { started: 100, completed: 100 - failed, ok: 100 - failed, failed }),
    );
    const step = healthyStep({ requests: { ...emptyRequestOutcomes(), sent: 2_000, ok: 1_890, httpError: 110, ...requests } });
    const limits = [
      { chart: 'Other', value: 1, words: 'another' },
      { chart: MACHINE_CHARTS.holders, value: 100, words: 'all ports' },
    ];
    const values = {
      'timeWait.from:10.0.0.9:5432': Array.from({ length: SECONDS }, () => 100),
      'timeWait.to': Array.from({ length: SECONDS }, () => 100),
      'timeWait.to:10.0.0.9:5432': Array.from({ length: SECONDS }, (_unused, second) => waiting(second)),
    };
    return findingsBy('hopPorts', facts(step, { windows, monitors: [{ ...monitor(() => 0), limits, values, ...changes }] }))[0];
  }

  it('reports its figures', () => {
    const finding = of();
    expect(finding?.sentence).toContain(
      'connections to 10.0.0.9:5432: 80 of 100 were in TIME_WAIT when requests began to fail in second 10',
    );
    expect(finding?.evidence).toEqual([expect.anything(), expect.stringContaining('that connected to 10.0.0.9:5432')]);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['80', '100', '60', '110 of 2,000', '11 %']);
  });

  it.each<[string, Changes, boolean]>([
    ['10 % of the requests fail', { failed: 10 }, false],
    ['no request succeeds', { requests: { ok: 0 } }, false],
    ['the load itself lacks ports', { requests: { noPort: 1 } }, false],
    ['fewer than 80 % of the ports wait', { waiting: (second) => (second < 10 ? 70 : 79) }, false],
    ['90 % waited before', { waiting: (second) => (second < 10 ? 72 : 80) }, false],
    ['90 % waited once before', { waiting: (second) => (second === 3 ? 72 : until(10)(second)) }, false],
    ['all ports waited three seconds before', { waiting: until(7) }, true],
    ['all ports waited four seconds before', { waiting: until(6) }, false],
    ['all ports wait three seconds later', { waiting: until(13) }, true],
    ['all ports wait four seconds later', { waiting: until(14) }, false],
    ['all ports waited a second before, for two seconds', { waiting: (second) => (second === 9 ? 80 : 60) }, true],
    ['all ports waited two seconds before, for a second', { waiting: (second) => (second === 8 ? 80 : 60) }, false],
    ['the number grows from the first second on', { from: 2, waiting: until(2) }, true],
    ['all ports wait from the first second on', { from: 2, waiting: () => 80 }, false],
    ['some seconds are unknown', { waiting: (second) => (second === 4 ? null : until(10)(second)) }, true],
    ['the monitor is no machine', { monitor: { kind: 'haproxy' } }, false],
    ['the number of ports is unknown', { monitor: { limits: [] } }, false],
  ])('decides by the figures whether it reports a finding: %s', (_name, changes, isReported) => {
    expect(of(changes) !== undefined).toBe(isReported);
  });

  it("uses a generator's ports if they grew by more than twice the connections of the load", () => {
    const windows = Array.from({ length: SECONDS }, (_unused, second) => point(second, second < 10 ? {} : { failed: 90, ok: 10 }));
    const step = healthyStep({ requests: { ...emptyRequestOutcomes(), sent: 2_000, ok: 1_000, httpError: 1_000 }, connectionsOpened: 35 });
    const of = (first: number | null, outgoingPorts: number | null = 100) => {
      const readings = windows.map(({ second }) => ({
        ...unknownReading(second),
        timeWaitSockets: second === 0 ? first : second === 1 ? null : second < 10 ? 40 : 90,
      }));
      return findingsBy('hopPorts', facts(step, { windows, generators: [{ ...generatorThatReads([]), outgoingPorts, readings }] }));
    };
    expect(of(19)[0]?.evidence[1]).toContain('destination of these connections is unknown');
    expect(of(20)).toEqual([]);
    expect(of(19, null)).toEqual([]);
    expect(of(null)).toEqual([]);
  });
});
