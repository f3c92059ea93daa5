import { describe, expect, it } from 'vitest';
import { pickRun } from './findRun.ts';

const rows = [{ id: 'abc3' }, { id: 'abd2' }, { id: 'ab' }];

describe('pickRun', () => {
  it('finds the newest run, and runs by their id or the beginning of an id', () => {
    expect(pickRun(rows, 'last')).toBe('abc3');
    expect(pickRun(rows, 'abd')).toBe('abd2');
    expect(pickRun(rows, 'ab')).toBe('ab');
  });

  it('explains an unknown or ambiguous id', () => {
    expect(() => pickRun([], 'last')).toThrow(expect.objectContaining({ code: 'NO_SUCH_RUN' }));
    expect(() => pickRun(rows, 'x')).toThrow(expect.objectContaining({ code: 'NO_SUCH_RUN' }));
    expect(() => pickRun(rows, '')).toThrow(expect.objectContaining({ code: 'NO_SUCH_RUN' }));
    expect(() => pickRun(rows, 'a')).toThrow(expect.objectContaining({ code: 'AMBIGUOUS_RUN', hint: expect.stringContaining('abd2') }));
  });
});
