import { describe, expect, it } from 'vitest';
import { planFor } from '../testing/plans.ts';
import { planFacts } from './check.ts';
import { ephemeralPorts, parsePortRange, portBudgetPerSecond } from './ephemeralPorts.ts';
import { memory } from './memory.ts';
import { nodeVersion } from './nodeVersion.ts';
import { openFiles, parseLimits } from './openFiles.ts';
import { idleShare, processor } from './processor.ts';
import { checkMachine } from './registry.ts';
import { sharedMachine } from './sharedMachine.ts';
import { parseTimeWaitCount, timeWait } from './timeWait.ts';

const factsFor = (connections: number) =>
  planFacts(planFor('http://127.0.0.1:1/', { load: { model: 'connections', stages: [{ connections, seconds: 1 }] } }));

describe('open files', () => {
  it('reads the limits', () => {
    const text = 'Limit   Soft Limit   Hard Limit   Units\nMax open files            1024                 unlimited            files\n';
    expect(parseLimits(text)).toEqual({ soft: 1_024, hard: Infinity });
    expect(parseLimits('something else')).toBeNull();
  });
  it('counts what is missing and gives the command', () => {
    const finding = openFiles.judge({ soft: 1_024, hard: 4_096 }, factsFor(2_000));
    expect(finding).toMatchObject({ level: 'problem', remedy: { command: 'ulimit -n 2200' } });
    expect(finding.matters).toContain('1,176');
    expect(openFiles.judge({ soft: 1_024, hard: 4_096 }, factsFor(824)).level).toBe('ok');
    expect(openFiles.judge({ soft: 1_024, hard: 4_096 }, factsFor(825)).level).toBe('problem');
  });
});

describe('ports', () => {
  const range = { from: 32_768, to: 60_999 };
  it('reads the range', () => {
    expect(parsePortRange('32768\t60999\n')).toEqual(range);
    expect(parsePortRange('many')).toBeNull();
  });
  it('knows the budget of Linux: about 470 new connections a second', () => expect(portBudgetPerSecond(range)).toBe(470));
  it.each([
    [100, 'ok'],
    [20_000, 'ok'],
  ] as const)('calls %i connections %s', (connections, level) => {
    expect(ephemeralPorts.judge(range, factsFor(connections)).level).toBe(level);
  });
  it('counts those of each local address, and none for a Unix socket', () => {
    const load = { model: 'connections' as const, stages: [{ connections: 1_500, seconds: 1 }] };
    const judge = (connections: object) =>
      ephemeralPorts.judge({ from: 1, to: 1_000 }, planFacts(planFor('http://127.0.0.1:1/', { load, connections })));
    expect(judge({}).level).toBe('problem');
    expect(judge({ localAddresses: ['127.0.0.1', '127.0.0.2'] })).toMatchObject({
      level: 'ok',
      title: expect.stringContaining('2,000 ports'),
    });
    expect(judge({ socketPath: '/run/app.sock' }).level).toBe('ok');
  });
  it('sees where they do not suffice', () => {
    expect(ephemeralPorts.judge({ from: 1, to: 1_000 }, factsFor(900)).level).toBe('warning');
    const finding = ephemeralPorts.judge({ from: 1, to: 1_000 }, factsFor(1_001));
    expect(finding).toMatchObject({ level: 'problem', remedy: { undo: expect.stringContaining('"1 1000"') } });
  });
});

describe('TIME_WAIT', () => {
  it('reads the count', () => expect(parseTimeWaitCount('sockets: used 5\nTCP: inuse 5 orphan 0 tw 31 alloc 7 mem 1\n')).toBe(31));
  it('warns of many', () => {
    expect(timeWait.judge({ sockets: 10_000, ports: 28_232 }, factsFor(1)).level).toBe('warning');
    expect(timeWait.judge({ sockets: 31, ports: 28_232 }, factsFor(1)).level).toBe('ok');
    expect(timeWait.judge({ sockets: 31, ports: null }, factsFor(1)).level).toBe('ok');
  });
});

describe('processor, memory, Node.js, sharing', () => {
  const times = (busy: number, idle: number) => ({ times: { user: busy, nice: 0, sys: 0, idle, irq: 0 } });
  it('takes the share of the time between two readings', () => {
    expect(idleShare([times(100, 900), times(0, 0)], [times(150, 950), times(100, 0)])).toBeCloseTo(0.25);
    expect(idleShare([times(1, 1)], [times(1, 1)])).toBeNull();
  });
  it('warns of a busy machine', () => {
    expect(processor.judge({ cores: 2, idle: 0.5 }, factsFor(1)).level).toBe('warning');
    expect(processor.judge({ cores: 1, idle: 0.95 }, factsFor(1))).toMatchObject({ level: 'ok', title: '1 core, 95 % idle' });
  });
  it('warns of little memory', () => {
    expect(memory.judge({ availableBytes: 100e6, totalBytes: 8e9 }, factsFor(10)).level).toBe('warning');
    expect(memory.judge({ availableBytes: 4e9, totalBytes: 8e9 }, factsFor(10)).level).toBe('ok');
  });
  it('mentions another version of Node.js', () => {
    expect(nodeVersion.judge('24.21.0', factsFor(1)).level).toBe('ok');
    expect(nodeVersion.judge('26.0.0', factsFor(1)).level).toBe('info');
  });
  it('always says when the target shares the machine', () => {
    expect(sharedMachine.judge({ shares: true, cores: 2 }, factsFor(1))).toMatchObject({ level: 'info', evidence: '127.0.0.1:1' });
    expect(sharedMachine.judge({ shares: false, cores: 2 }, factsFor(1)).level).toBe('ok');
  });
});

describe('checkMachine', () => {
  it('answers every check once on the machine it runs on', async () => {
    const findings = await checkMachine(planFor('http://127.0.0.1:1/'), { kind: 'none' });
    expect(findings.map(({ id }) => id)).toEqual([
      'openFiles',
      'ephemeralPorts',
      'timeWait',
      'processor',
      'memory',
      'nodeVersion',
      'sharedMachine',
      'targetReachable',
    ]);
    expect(findings.find(({ id }) => id === 'sharedMachine')?.level).toBe('info');
    // Nothing listens at port 1.
    expect(findings.at(-1)?.level).toBe('problem');
    if (process.platform === 'linux') expect(findings.filter(({ level }) => level === 'unknown')).toEqual([]);
  });
});
