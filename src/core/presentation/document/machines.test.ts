import { describe, expect, it } from 'vitest';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import type { GeneratorReading, RunResult } from '#core/result/schema.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { passageLines } from '../text/textTable.ts';
import { liveGeneratorBlocks } from './generators.ts';
import { generatorBlocks, machineBlocks, monitorBlocks, readingTable, tuningBlocks } from './machines.ts';
import type { Passage } from './model.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

const sample = sampleResult();

const latency = sample.latency.response;

const reading = (changes: Partial<GeneratorReading> = {}): GeneratorReading =>
  ({
    second: 0,
    threadCpu: 0.5,
    threadWait: null,
    machineCpu: 0.25,
    steal: 0.01,
    eventLoopDelayMs: 2,
    scheduleLagMs: null,
    garbageCollectionMs: 5,
    memoryBytes: 100_000_000,
    openFiles: 1_050,
    timeWaitSockets: 7,
    ...changes,
  }) as GeneratorReading;

const [own] = sample.generators;
if (own === undefined) throw new Error('the sample has a generator');

const figures = {
  sent: 100,
  ok: 90,
  notStartedGenerator: 0,
  rates: { startedPerSecond: 10, completedPerSecond: 9.5, bytesPerSecond: 1_000_000 },
  service: latency,
  response: latency,
  phases: null,
  points: [],
};

const selfTest = { at: '2026-03-12T13:00:00.000Z', passed: 12, failed: [], maxRequestsPerSecond: 20_000 } as never;

describe('tables of load generators', () => {
  it('show the machine, its utilization and its self-test', () => {
    expect(
      linesOf(
        generatorBlocks({ generators: [{ ...own, readings: [reading(), reading({ threadCpu: 0.91, openFiles: null })], selfTest }] }),
      ),
    ).toEqual([
      'Load generators',
      '  Machine        Hardware              Software                 Engine                      Overload',
      '  This computer  2 cores, 8 GB memory  Linux x64, Node 24.21.0  autocannon 9.0.0, 1 thread  overloaded for 4 s; shares its cores with the server',
      '    desk',
      '',
      'Use of the load generators, worst second',
      '  Figure                      This computer',
      '  Busiest thread                       91 %',
      '  Waiting for a core                      –',
      '  All cores                            25 %',
      '  CPU steal                             1 %',
      '  Event-loop delay                     2 ms',
      '  Schedule lag                            –',
      '  Garbage collection                   5 ms',
      '  Memory used                        100 MB',
      '  Open files and connections          1,050',
      '  Ports in TIME_WAIT                      7',
      '  –: not available on this machine.',
      '',
      'Self-tests',
      '  - This computer: all 12 checks passed on 2026-03-12 13:00:00 UTC, up to 20,000 requests/s.',
    ]);
    expect(generatorBlocks({ generators: [] })).toEqual([{ kind: 'text', text: 'No data about the load generator.' }]);
  });

  it('show the part of the load of each of several machines', () => {
    const other = {
      ...own,
      name: 'web1',
      hostname: 'web1',
      cores: 1,
      threads: 2,
      platform: 'win32 x64',
      overloadedSeconds: 0,
      sharesMachineWithTarget: false,
      keptAwake: true as const,
      lost: { second: 75, text: 'It was switched off.' },
      selfTest: { ...(selfTest as object), failed: ['counts', 'times'], maxRequestsPerSecond: null } as never,
      figures: { ...figures, rates: { ...figures.rates, completedPerSecond: null } },
    };
    expect(linesOf(machineBlocks({ generators: [{ ...own, figures }, other] }))).toEqual([
      'Load generators',
      '  Machine        Hardware              Software                   Engine                       Overload',
      '  This computer  2 cores, 8 GB memory  Linux x64, Node 24.21.0    autocannon 9.0.0, 1 thread   overloaded for 4 s; shares its cores with the server',
      '    desk',
      '  web1           1 core, 8 GB memory   Windows x64, Node 24.21.0  autocannon 9.0.0, 2 threads  not overloaded; sleep was prevented; lost at 1:15: It was switched off.',
      '',
      'Self-tests',
      '  - This computer: no self-test before the run.',
      '  - web1: 2 checks failed on 2026-03-12 13:00:00 UTC: counts, times.',
      '  From this computer and web1 the server looks alike: 50 % of responses came within 49 ms.',
      '',
      'Load by place',
      '  Place          Sent  Successful  Responses/s  Received    p50    p90  Overload',
      '  This computer   100          90          9.5  8 Mbit/s  49 ms  63 ms  overloaded for 4 s',
      '  web1            100          90            –  8 Mbit/s  49 ms  63 ms  lost at 1:15',
    ]);
    expect(linesOf(machineBlocks({ generators: [{ ...own, figures: null }, other] })).join('\n')).not.toContain('Load by place');
  });

  it('show the last second during a run', () => {
    expect(linesOf(readingTable(reading({ openFiles: null }), 'this computer', 1))).toEqual([
      'This computer, last second',
      '  Figure                        Value',
      '  Busiest thread                 50 %',
      '  Waiting for a core          unknown',
      '  All cores                      25 %',
      '  CPU steal                       1 %',
      '  Event-loop delay               2 ms',
      '  Garbage collection             5 ms',
      '  Memory used                  100 MB',
      '  Open files and connections  unknown',
      '  Ports in TIME_WAIT                7',
    ]);
    expect(linesOf(readingTable(reading({ scheduleLagMs: 3 }), 'a, b', 2)).slice(0, 8)).toEqual([
      'Last second, worst value of all load generators',
      '  Figure                        Value',
      '  Busiest thread                 50 %',
      '  Waiting for a core          unknown',
      '  All cores                      25 %',
      '  CPU steal                       1 %',
      '  Event-loop delay               2 ms',
      '  Schedule lag                   3 ms',
    ]);
    const live = {
      sent: 10,
      responded: 9,
      ok: 9,
      completedPerSecond: 5,
      bytesPerSecond: 100,
      p50: 20,
      p90: 30,
      overloadedSeconds: 2,
      isOverloaded: false,
    };
    expect(
      linesOf(
        liveGeneratorBlocks([
          { name: 'this computer', lost: null, figures: live },
          { name: 'b', lost: { second: 3, text: 'It was lost.' }, figures: { ...live, overloadedSeconds: 0 } },
          { name: 'c', lost: null, figures: null },
        ]),
      ),
    ).toEqual([
      'Load by place',
      '  Place          Sent  Successful  Responses/s       Received    p50    p90  Overload',
      '  This computer    10           9            5  0.0008 Mbit/s  20 ms  30 ms  overloaded for 2 s',
      '  b                10           9            –        unknown  20 ms  30 ms  lost at 0:03',
      '  c                 0           0            –        unknown      –      –  not overloaded',
      '  Rates of the last second, times since the start.',
    ]);
  });

  it('list changed settings', () => {
    const data = {
      id: 1,
      host: 'web1',
      check: 'ports',
      setting: 'net.ipv4.tcp_tw_reuse',
      from: '0',
      to: '1',
      appliedAt: '2026-03-12T13:00:00.000Z',
    };
    const events = [
      { second: 0, kind: 'hostChanged', text: 'A setting was changed.', data },
      { second: 0, kind: 'hostChanged', text: 'Another was changed.', data: {} },
      { second: 0, kind: 'note', text: 'A note.' },
    ] as RunResult['events'];
    expect(linesOf(tuningBlocks({ events }))).toEqual([
      'Settings changed before the run',
      '  - Holdfast changed net.ipv4.tcp_tw_reuse on web1 from 0 to 1 before this run. (2026-03-12 13:00:00 UTC)',
      '  - Another was changed.',
    ]);
    expect(linesOf(tuningBlocks({ events: [] }))).toEqual([
      'Settings changed before the run',
      '  - None by Holdfast. Changes by others are unknown.',
    ]);
  });
});

describe('tables of monitors', () => {
  const monitor = (changes: object) =>
    ({
      number: 0,
      name: 'web1',
      kind: 'machine',
      role: 'target',
      host: 'web1',
      quantities: [...MACHINE_CATALOGUE.quantities],
      limits: [],
      state: 'ended',
      problem: null,
      errorMs: 1,
      second: [0, 65],
      width: [1, 1],
      values: { 'cpu.used': [0.5, 0.7], 'cpu.steal': [0, 0] },
      ...changes,
    }) as never as RunResult['monitors'][number];

  it('show the measured values, and why other monitors have none', () => {
    const monitors = [
      monitor({}),
      monitor({ name: 'this computer', role: 'generator', host: null }),
      monitor({ name: 'db', role: 'hop', values: { 'cpu.used': [0, 0] } }),
      monitor({ name: 'gone', state: 'lost', problem: 'It was switched off.' }),
      monitor({ name: 'never', state: 'unavailable', problem: 'No permission.', values: {} }),
    ];
    expect(linesOf(monitorBlocks({ ...sample, monitors }))).toEqual([
      'web1',
      '  Figure             Mean   Max    At',
      '  Processor: in use  60 %  70 %  1:05',
      '',
      'This computer (load generator)',
      '  Figure             Mean   Max    At',
      '  Processor: in use  60 %  70 %  1:05',
      '',
      'gone',
      '  Figure             Mean   Max    At',
      '  Processor: in use  60 %  70 %  1:05',
      '',
      'Not watched',
      '  - gone: lost. It was switched off.',
      '  - never: No permission.',
    ]);
  });
});
