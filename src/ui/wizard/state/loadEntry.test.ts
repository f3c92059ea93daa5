import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { toLoad } from './loadEntry.ts';
import { FULL_LOADS, rowsOf } from './testing/loads.ts';

describe('rows of a load', () => {
  it.each(FULL_LOADS)('keep the load of $model unchanged in both directions', (load) => {
    expect(loadSchema.parse(toLoad(rowsOf(load)))).toEqual(load);
  });

  it('result in null while a number is invalid', () => {
    for (const load of FULL_LOADS) {
      const rows = rowsOf(load);
      const stages = rows.stages.map((stage, index) =>
        index === 0 ? { ...stage, numbers: { ...stage.numbers, seconds: '5x', connections: 'x' } } : stage,
      );
      expect(toLoad({ ...rows, stages })).toBeNull();
    }
  });

  it('require the numbers of the think time only for users', () => {
    const rows = rowsOf(FULL_LOADS[1]);
    const thinkTime = { kind: 'fixed', numbers: { seconds: '', fromSeconds: 1, toSeconds: 3, meanSeconds: 5 } } as const;
    expect(toLoad({ ...rows, thinkTime })).toBeNull();
    expect(toLoad({ ...rows, thinkTime: { ...thinkTime, kind: 'none' } })).toEqual({
      model: 'users',
      stages: [{ name: 'cycle', users: 20, startUpSeconds: 5, seconds: 30, restSeconds: 2, counted: true }],
    });
  });

  it('accept a pace that is a number or empty', () => {
    const rows = rowsOf(FULL_LOADS[1]);
    expect(toLoad({ ...rows, paceSeconds: 30 })).toMatchObject({ paceSeconds: 30 });
    expect(toLoad({ ...rows, paceSeconds: '' })).not.toHaveProperty('paceSeconds');
    expect(toLoad({ ...rows, paceSeconds: '30 s' })).toBeNull();
  });

  it('never count a pause', () => {
    const rows = rowsOf({ model: 'arrivals', stages: [{ kind: 'pause', seconds: 3 }] });
    const stages = rows.stages.map((stage) => ({ ...stage, counted: true }));
    expect(loadSchema.parse(toLoad({ ...rows, stages })).stages).toEqual([{ kind: 'pause', seconds: 3, counted: false }]);
  });
});
