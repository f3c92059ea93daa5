import { describe, expect, it } from 'vitest';
import { getFileName } from './saveFile.ts';

describe('getFileName', () => {
  it('replaces characters that some file systems reject', () => {
    expect(getFileName('Prüfung: CMS / 750?', 'Latency.csv')).toBe('Pru-fung-CMS-750-Latency.csv');
    expect(getFileName('../..')).toBe('holdfast');
  });
});
