import { describe, expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import type { RunResult } from '#core/result/schema.ts';
import { planWith, stages } from '../testing/plans.ts';
import { toComparedRun } from './comparedRun.ts';
import { findDissimilarities } from './refusal.ts';

const sample = sampleResult();
const differences = (...results: RunResult[]) => findDissimilarities(results.map((result) => [toComparedRun(result).conditions]));

describe('toComparedRun', () => {
  it('returns the figures of the counted stages of a run', () => {
    const { figures, leftOut } = toComparedRun(sample);
    expect(leftOut).toBeNull();
    expect(figures.filter(({ scope }) => scope.kind === 'run').map(({ measure, value }) => [measure, value])).toEqual([
      ['goodPerSecond', expect.closeTo((200 * 60_000) / 60_008, 6)],
      ['p50', 49],
      ['p95', 74],
      ['p99', 131],
      ['failedShare', expect.closeTo(12 / 60_012, 9)],
    ]);
    expect(figures.some(({ scope }) => scope.kind === 'step' || scope.kind === 'stage')).toBe(false);
  });

  it('returns figures by step, and by counted stage if there are several', () => {
    const [step] = sample.steps;
    const steps = step ? [step, { ...step, name: 'other' }] : [];
    const journey = [...sample.plan.journey, ...planWith({ journey: [{ name: 'other' }] }).journey];
    const { load } = planWith({
      load: stages({ name: 'light', connections: 10, seconds: 30 }, { name: 'heavy', connections: 50, seconds: 300 }),
    });
    const named = sample.stages.map((stage, index) => ({ ...stage, counted: true, name: index === 0 ? 'light' : 'heavy' }));
    const { figures } = toComparedRun(sampleResult({ steps, stages: named, plan: { ...sample.plan, journey, load } }));
    expect([...new Set(figures.map(({ scope }) => `${scope.kind} ${scope.name}`))]).toEqual([
      'run ',
      'step description',
      'step other',
      'stage light',
      'stage heavy',
    ]);
  });

  it('marks a run that was cut off as excluded', () => {
    const run = { ...sample.run, state: 'stopped' as const, endedBecause: { code: 'user' as const, text: 'You stopped it.' } };
    expect(toComparedRun({ ...sample, run }).leftOut).toBe('You stopped it.');
  });

  it('computes the processor time per response of a watched machine from its cores', () => {
    const monitor = {
      number: 1,
      name: 'web1',
      kind: 'machine',
      role: 'target' as const,
      host: 'web1',
      quantities: [],
      limits: [],
      state: 'ended' as const,
      problem: null,
      errorMs: null,
      second: [10, 100, 200],
      width: [1, 1, 1],
      values: {
        'cpu.used': [1, 0.4, 0.6],
        'core.used:0': [1, 0.4, 0.6],
        'core.used:1': [1, 0.4, 0.6],
        'memory.used': [9, 3, 4],
        'process.cpu:nginx': [2, 0.2, 0.2],
        'process.memory:nginx': [1, 1, null],
      },
    };
    const watched = toComparedRun(sampleResult({ monitors: [monitor] })).figures.filter(({ scope }) => scope.kind === 'watched');
    expect(watched.map(({ scope, measure, value }) => [scope.name, measure, value])).toEqual([
      ['web1', 'cpuUsed', expect.closeTo(1, 9)],
      ['web1', 'cpuMsPerResponse', expect.closeTo(5, 9)],
      ['web1', 'memory', 4],
      ['web1: nginx', 'cpuUsed', expect.closeTo(0.2, 9)],
      ['web1: nginx', 'cpuMsPerResponse', expect.closeTo(1, 9)],
      ['web1: nginx', 'memory', 1],
    ]);
  });
});

describe('differences between runs', () => {
  it('are none between repeats, regardless of name and time', () => {
    const again = sampleResult({
      run: { ...sample.run, id: 'other', name: 'again', startedAt: '2026-03-13T14:05:07.000Z', note: 'after lunch' },
    });
    expect(differences(sample, again)).toEqual([]);
    expect(differences(sample, { ...again, plan: { ...sample.plan, criteria: [], claim: '750 participants', seed: 9 } })).toEqual([]);
  });

  it('are the parts of the plan that affect the measurement, by their path', () => {
    const other = { ...sample, plan: { ...sample.plan, targets: [{ url: 'http://127.0.0.1:9999/', headers: {} }], timeoutSeconds: 7 } };
    expect(differences(sample, other)).toEqual([
      {
        aspect: 'target',
        what: 'address of target 1',
        values: [['http://127.0.0.1:8888/'], ['http://127.0.0.1:9999/']],
        isWithinSide: false,
      },
      { aspect: 'load', what: 'timeoutSeconds', values: [['120'], ['7']], isWithinSide: false },
    ]);
  });

  it('include stages and targets that only one run has', () => {
    const [target] = sample.plan.targets;
    if (target === undefined) throw new Error('the sample has a target');
    const more = { ...sample, plan: { ...sample.plan, targets: [target, { ...target, url: 'http://127.0.0.1:9999/' }] } };
    const whats = differences(sample, more).map(({ what, values }) => [what, values]);
    expect(whats).toContainEqual(['address of target 2', [['–'], ['http://127.0.0.1:9999/']]]);
    expect(whats.map(([what]) => what)).not.toContain('address of target 1');
    const unnamed = stages({ connections: 10, seconds: 5 });
    const twice = stages({ connections: 10, seconds: 5 }, { connections: 20, seconds: 5 });
    const load = (of: typeof unnamed) => ({ ...sample, plan: { ...sample.plan, load: planWith({ load: of }).load } });
    const differing = differences(load(unnamed), load(twice)).map(({ what }) => what);
    expect(differing).toContain('connections of stage 2');
    expect(differing.filter((what) => what.endsWith('stage 1'))).toEqual([]);
  });

  it('include the host, its settings, the engine, the version and the server software', () => {
    const [generator] = sample.generators;
    if (generator === undefined) throw new Error('the sample has a generator');
    const other = sampleResult({
      run: { ...sample.run, holdfastVersion: '0.2.0' },
      generators: [{ ...generator, cores: 8, engine: 'native', engineVersion: '1' }],
      events: [{ second: 0, kind: 'hostChanged', text: 'web1: net.core.somaxconn 128 → 4096' }],
      server: { ...sample.server, software: 'Caddy' },
    });
    expect(differences(sample, other).map(({ aspect, what, values }) => [aspect, what, ...values.flat()])).toEqual([
      ['target', 'server software', 'nginx/1.22.1', 'Caddy'],
      ['host', 'cores', '2', '8'],
      ['tuning', 'web1: net.core.somaxconn 128 → 4096', '–', 'yes'],
      ['engine', 'engine', 'autocannon 9.0.0', 'native 1'],
      ['version', 'Holdfast', '0.1.0', '0.2.0'],
    ]);
  });

  it('include the cell of a series only if nothing else distinguishes the cells', () => {
    const cell = (name: string, url: string) =>
      sampleResult({
        run: { ...sample.run, series: { id: 's-1', name: 'a series', cell: name, repeat: 1 } },
        plan: { ...sample.plan, targets: [{ url, headers: {} }] },
      });
    expect(differences(cell('cold', 'http://a/'), cell('warm', 'http://a/')).map(({ aspect }) => aspect)).toEqual(['variant']);
    expect(differences(cell('cold', 'http://a/'), cell('warm', 'http://b/')).map(({ aspect }) => aspect)).toEqual(['target']);
    expect(
      differences(sample, sampleResult({ run: { ...sample.run, series: { id: 's-1', name: 'repeats', cell: 'the plan', repeat: 2 } } })),
    ).toEqual([]);
  });

  it('ignore typed secrets', () => {
    const withCookie = (secret: string) =>
      sampleResult({ plan: { ...sample.plan, targets: [{ url: 'http://a/', headers: {}, cookie: { secret } }] } });
    expect(differences(withCookie('session:1'), withCookie('session:2'))).toEqual([]);
    expect(differences(withCookie('env:A'), withCookie('env:B'))).toHaveLength(1);
  });
});

describe('figures of a run', () => {
  const [stage] = sample.stages;
  if (stage === undefined) throw new Error('the sample has a stage');
  const computeFigures = (result: RunResult) =>
    Object.fromEntries(
      toComparedRun(result).figures.flatMap(({ scope, measure, value }) => (scope.kind === 'run' ? [[measure, value]] : [])),
    );
  const none = { ...stage.requests, sent: 0, ok: 0, httpError: 0, wrongBody: 0 };
  const { load } = planWith({
    load: stages({ connections: 10, seconds: 30, counted: false }, { connections: 10, seconds: 30 }, { connections: 20, seconds: 30 }),
  });
  const three = (...requests: (typeof none)[]) =>
    sampleResult({
      plan: { ...sample.plan, load },
      stages: requests.map((each, index) => ({ ...stage, name: `s${index}`, requests: each })),
    });

  it('cover the requests of all counted stages', () => {
    const result = three(
      { ...none, sent: 1_000, ok: 0, httpError: 1_000 },
      { ...none, sent: 100, ok: 60, httpError: 30, wrongBody: 10 },
      { ...none, sent: 100, ok: 90, httpError: 5, wrongBody: 5 },
    );
    const { completedPerSecond } = sample.rates;
    expect(computeFigures(result)['goodPerSecond']).toBeCloseTo(((completedPerSecond ?? 0) * 150) / 200, 9);
    expect(computeFigures(result)['failedShare']).toBeCloseTo(0.25, 12);
  });

  it('cover all stages if no counted one was reached', () => {
    const warm = { ...none, sent: 100, ok: 80, httpError: 20 };
    expect(computeFigures(three(warm, none, none))['failedShare']).toBeCloseTo(0.2, 12);
    expect(computeFigures(three(warm, { ...none, sent: 10, ok: 9, httpError: 1 }, none))['failedShare']).toBeCloseTo(0.1, 12);
  });

  it('are null if unknown, and the throughput is 0 without responses', () => {
    const { rates, latency } = sample;
    const never = { ...latency, response: { ...latency.response, p50: 'never' as const, p95: null } };
    const unknown = computeFigures(sampleResult({ rates: { ...rates, completedPerSecond: null }, latency: never }));
    expect([unknown['goodPerSecond'], unknown['p50'], unknown['p95'], unknown['p99']]).toEqual([null, null, null, 131]);
    expect(computeFigures(three(none, { ...none, sent: 10 }, none))['goodPerSecond']).toBe(0);
  });
});
