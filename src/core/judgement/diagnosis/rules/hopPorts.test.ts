import { expect, it } from 'vitest';
import { MACHINE_CATALOGUE, MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { emptyRequestLedger } from '#core/measurement/ledger.ts';
import { unknownReading } from '#core/result/readings.ts';
import { facts, generatorThatReads, healthyStep, point } from '../testing/facts.ts';
import { idsOf, saidBy } from '../testing/found.ts';

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
  const requests = { ...emptyRequestLedger(), sent, ok, httpError: sent - ok };
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

it('names the hop and where it connects to, by where sockets wait when failures begin', () => {
  const { windows, step } = failing();
  const given = facts(step, { windows, monitors: [monitor(waitingAt)] });
  const [finding] = saidBy('hopPorts', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'likely', range: { fromSecond: FULL_AT, toSecond: SECONDS } });
  expect(finding?.sentence).toContain('web-1 ran out of ports for connections to 10.0.0.9:5432: 2,000 of 2,000 were in TIME_WAIT');
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it('does with what this computer counts where the target shares it, and says that it does not know whither', () => {
  const { windows, step } = failing();
  const [generator] = [generatorThatReads([])];
  const readings = windows.map(({ second }) => ({ ...unknownReading(second), timeWaitSockets: waitingAt(second) }));
  const given = facts(step, { windows, generators: generator === undefined ? [] : [{ ...generator, outgoingPorts: PORTS, readings }] });
  expect(saidBy('hopPorts', given)[0]).toMatchObject({
    confidence: 'possible',
    sentence: expect.stringContaining('A program on this computer'),
  });
  expect(saidBy('hopPorts', { ...given, connectionsOpened: PORTS })).toEqual([]);
});

it('says nothing where failures begin at another time, where nothing waits, and where nothing fails', () => {
  const early = failing(3);
  expect(saidBy('hopPorts', facts(early.step, { windows: early.windows, monitors: [monitor(waitingAt)] }))).toEqual([]);
  const { windows, step } = failing();
  expect(saidBy('hopPorts', facts(step, { windows, monitors: [monitor(() => 40)] }))).toEqual([]);
  expect(saidBy('hopPorts', facts(step, { windows }))).toEqual([]);
  expect(saidBy('hopPorts', facts(healthyStep(), { monitors: [monitor(waitingAt)] }))).toEqual([]);
});

it('says nothing where the ports that wait are few of those that the machine has, or where it is not known how many it has', () => {
  const { windows, step } = failing();
  const limits = (ports: number) => [{ chart: MACHINE_CHARTS.holders, value: ports, words: 'all ports for one destination' }];
  const given = (ports: number) => facts(step, { windows, monitors: [{ ...monitor(waitingAt), limits: limits(ports) }] });
  expect(saidBy('hopPorts', given(28_232))).toEqual([]);
  expect(idsOf(given(28_232))).toContain('unexpectedStatus.500');
  expect(saidBy('hopPorts', given(2_200))).toHaveLength(1);
  expect(saidBy('hopPorts', facts(step, { windows, monitors: [{ ...monitor(waitingAt), limits: [] }] }))).toEqual([]);
});
