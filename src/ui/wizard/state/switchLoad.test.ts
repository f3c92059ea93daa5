import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { ARRIVAL_KINDS, LOAD_MODELS, type LoadEntry, toLoad } from './loadEntry.ts';
import { withEnd, withKind, withModel, withOneMore } from './switchLoad.ts';
import { FULL_LOADS, rowsOf } from './testing/loads.ts';

const loadOf = (load: LoadEntry) => loadSchema.parse(toLoad(load));
const connections = rowsOf({
  model: 'connections',
  stages: [
    { name: 'warm-up', connections: 5, seconds: 20, counted: false },
    { connections: 50, requests: 1_000 },
  ],
});

describe('withModel', () => {
  it('keeps names, durations and whether stages count', () => {
    expect(loadOf(withModel(connections, 'users'))).toEqual({
      model: 'users',
      thinkTime: { kind: 'uniform', fromSeconds: 2, toSeconds: 8 },
      stages: [
        { name: 'warm-up', users: 5, startUpSeconds: 0, seconds: 20, restSeconds: 0, counted: false },
        { users: 50, startUpSeconds: 0, seconds: 60, restSeconds: 0, counted: true },
      ],
    });
    expect(loadOf(withModel(connections, 'arrivals')).stages[0]).toEqual({
      kind: 'constant',
      name: 'warm-up',
      perSecond: 10,
      seconds: 20,
      counted: false,
    });
  });

  it.each(FULL_LOADS)('keeps a load of $model unchanged after switching through all models', (load) => {
    const rows = rowsOf(load);
    const there = LOAD_MODELS.reduce(withModel, rows);
    expect(loadOf(withModel(there, load.model))).toEqual(load);
  });

  it('converts every load to every model', () => {
    for (const load of FULL_LOADS)
      for (const model of LOAD_MODELS) expect(loadOf(withModel(rowsOf(load), model)).stages).toHaveLength(load.stages.length);
  });

  it('keeps users without think time', () => {
    const users = rowsOf({ model: 'users', stages: [{ users: 3, seconds: 9 }] });
    expect(withModel(withModel(users, 'arrivals'), 'users').thinkTime?.kind).toBe('none');
  });

  it('keeps text that is not a number', () => {
    const [first] = connections.stages;
    if (!first) throw new Error('no stage');
    const typing = { ...connections, stages: [{ ...first, numbers: { ...first.numbers, seconds: '2m' } }] };
    expect(withModel(typing, 'users').stages[0]?.numbers.seconds).toBe('2m');
  });
});

describe('withKind', () => {
  const [steady] = rowsOf({ model: 'arrivals', stages: [{ kind: 'constant', perSecond: 50, seconds: 100 }] }).stages;
  if (!steady) throw new Error('no stage');

  it('proposes a load of about the same rate and duration', () => {
    const load = { ...rowsOf(FULL_LOADS[3]), stages: ARRIVAL_KINDS.map((kind) => withKind(steady, kind)) };
    expect(loadOf(load).stages).toEqual([
      { kind: 'constant', perSecond: 50, seconds: 100, counted: true },
      { kind: 'ramp', fromPerSecond: 10, toPerSecond: 50, seconds: 100, counted: true },
      { kind: 'count', arrivals: 5_000, seconds: 100, counted: true },
      { kind: 'steps', fromPerSecond: 10, toPerSecond: 50, steps: 5, secondsEach: 20, counted: true },
      {
        kind: 'spike',
        basePerSecond: 50,
        peakPerSecond: 250,
        secondsBefore: 40,
        rampSeconds: 0,
        peakSeconds: 20,
        secondsAfter: 40,
        counted: true,
      },
      { kind: 'pause', seconds: 100, counted: false },
    ]);
  });

  it('sums the durations of steps', () => {
    const steps = rowsOf({ model: 'arrivals', stages: [{ kind: 'steps', fromPerSecond: 1, toPerSecond: 9, steps: 3, secondsEach: 15 }] });
    const [stage] = steps.stages;
    if (!stage) throw new Error('no stage');
    expect(withKind(stage, 'constant').numbers).toMatchObject({ perSecond: 9, seconds: 45 });
    expect(withModel(steps, 'users').stages[0]?.numbers).toMatchObject({ seconds: 45 });
  });
});

describe('withEnd', () => {
  it('keeps both ends', () => {
    const [, byRequests] = connections.stages;
    if (!byRequests) throw new Error('no stage');
    const byTime = withEnd(byRequests, 'seconds');
    expect(byTime.numbers).toMatchObject({ seconds: 60, requests: 1_000 });
    expect(withEnd(byTime, 'requests')).toMatchObject({ end: 'requests', numbers: { requests: 1_000 } });
  });
});

describe('withOneMore', () => {
  it('copies the last stage without its name, as a stage that counts', () => {
    const load = rowsOf({ model: 'users', stages: [{ name: 'a', users: 7, seconds: 9, counted: false }] });
    expect(withOneMore(load).stages[1]).toMatchObject({ name: '', counted: true, numbers: { users: 7, seconds: 9 } });
  });

  it('does not copy a pause', () => {
    const load = rowsOf({ model: 'arrivals', stages: [{ kind: 'pause', seconds: 9 }] });
    expect(withOneMore(load).stages[1]).toMatchObject({ kind: 'constant', numbers: { perSecond: 10, seconds: 9 } });
  });

  it('gives each stage a unique id', () => {
    const { stages } = withOneMore(withOneMore({ ...rowsOf(FULL_LOADS[1]), stages: [] }));
    expect(new Set(stages.map(({ id }) => id)).size).toBe(2);
  });
});
