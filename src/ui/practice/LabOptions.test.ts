import { describe, expect, it } from 'vitest';
import type { LabOption } from '#core/base/lab/listing.ts';
import { entryProblem, changedOptions, listShownOptions } from './LabOptions.tsx';

const texts = { label: 'Workers', help: '', fault: false };
const workers: LabOption = { kind: 'number', ...texts, default: null, unset: 'random', min: 1, max: 32, whole: true, unit: '' };
const logs: LabOption = { kind: 'path', ...texts, default: null };

describe('the options of a practice server on the screen', () => {
  it('include no paths', () => {
    expect(listShownOptions({ logs, workers }).map(({ name }) => name)).toEqual(['workers']);
  });

  it('are sent if entered, and omitted if emptied again', () => {
    expect(changedOptions({ workers: 4, scale: '', heavy: 'burn' })).toEqual({ workers: 4, heavy: 'burn' });
  });

  it.each([
    [undefined, true],
    ['', true],
    [1, true],
    [32, true],
    [0, false],
    [33, false],
    [1.5, false],
    ['many', false],
  ] as const)('accept %j for a number from 1 to 32: %s', (entry, fits) => {
    expect(entryProblem(workers, entry) === null).toBe(fits);
  });
});
