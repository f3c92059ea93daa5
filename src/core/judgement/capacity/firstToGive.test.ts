import { describe, expect, it } from 'vitest';
import { facts, generatorThatReads, healthyStep } from '../diagnosis/testing/facts.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { headroomEvidence, computeHeadroom, listResources } from './demand.ts';

const second = Array.from({ length: 60 }, (_unused, at) => at);
const monitor = (changes: Partial<MonitorResult>): MonitorResult => ({
  number: 0,
  name: 'web-1',
  kind: 'machine',
  role: 'target',
  host: 'web-1',
  quantities: [],
  limits: [],
  state: 'ended',
  problem: null,
  errorMs: 1,
  second,
  width: second.map(() => 1),
  values: {},
  ...changes,
});
const stretch = { fromSecond: 10, toSecond: 50, perSecond: 400 };
const read = (monitors: MonitorResult[], watched: Parameters<typeof generatorThatReads>[0] = [], plan: object = {}) => {
  const base = facts(healthyStep(), { monitors, generators: [generatorThatReads(watched)] });
  return listResources({ ...base, plan: { ...base.plan, ...plan } }, stretch);
};

describe('listResources', () => {
  it('finds the resource that is full at the lowest rate: rate / share in use', () => {
    const processor = monitor({ values: { 'cpu.used': second.map((at) => (at >= 10 && at < 50 ? 0.25 : 0)) } });
    const database = monitor({
      name: 'database',
      kind: 'postgres',
      quantities: [{ id: 'postgres.connections', words: 'open', unit: 'count', chart: 'Connections' }],
      limits: [{ chart: 'Connections', value: 100, words: 'max_connections' }],
      values: { 'postgres.connections': second.map(() => 80) },
    });
    const found = read([processor, database]);
    expect(found.map(({ words, fullAtPerSecond }) => [words, fullAtPerSecond])).toEqual([
      ['the connections of “database”', 500],
      ['the processor of “web-1”', 1_600],
    ]);
  });

  it('includes the link of a machine with a single link, and watched numbers', () => {
    const line = monitor({
      limits: [{ chart: 'Network', value: 12_500_000, words: 'speed of eth0', instance: 'eth0' }],
      values: { 'net.in:eth0': second.map(() => 1_000_000), 'net.out:eth0': second.map(() => 6_250_000) },
    });
    expect(read([line])[0]).toMatchObject({ words: 'the network of “web-1”', share: 0.5, fullAtPerSecond: 800 });
    const watch = [{ name: 'jobs', url: 'http://127.0.0.1/', path: '$', everySeconds: 1, limit: 50 }];
    expect(
      read(
        [],
        second.map(() => ({ jobs: 10 })),
        { watch },
      )[0],
    ).toMatchObject({ words: '“jobs”', share: 0.2, fullAtPerSecond: 2_000 });
  });

  it('ignores load generators, hardly used resources, and those without readings', () => {
    expect(read([monitor({ role: 'generator', values: { 'cpu.used': second.map(() => 0.9) } })])).toEqual([]);
    expect(read([monitor({ values: { 'cpu.used': second.map(() => 0.01) } })])).toEqual([]);
    expect(read([monitor({ values: { 'cpu.used': second.map((at) => (at < 10 ? 0.9 : null)) } })])).toEqual([]);
  });

  it('provides evidence for the headroom: the first resource to run out, with its computation', () => {
    const loads = [
      { name: 'calm', perSecond: 400, startedPerSecond: 400, hasFailed: false },
      { name: 'rush', perSecond: 700, startedPerSecond: 900, hasFailed: true },
    ];
    const room = computeHeadroom({ requestsPerSecond: 200, people: { count: 750, name: 'participants' } }, loads);
    if (room === null) throw new Error('no head-room');
    const evidence = headroomEvidence(room, ['95 % within 1 s'], read([monitor({ values: { 'cpu.used': second.map(() => 0.5) } })])).join(
      '\n',
    );
    expect(evidence).toContain('750 × 400 / 200 = 1,500 participants');
    expect(evidence).toContain('400 × 3,600 = 1,440,000 successful responses');
    expect(evidence).toContain('First to fail: 95 % within 1 s.');
    expect(evidence).toContain('the processor of “web-1” was 50 % in use at 400/s, so it is full at about 800/s');
    expect(headroomEvidence(room, [], []).join('\n')).toContain('unknown: no machine, service or count');
  });
});
