import { describe, expect, it } from 'vitest';
import { fileNameOf } from './saveFile.ts';

describe('fileNameOf', () => {
  it('replaces characters that some file systems reject', () => {
    expect(fileNameOf('Prüfung: CMS / 750?', 'Latency.csv')).toBe('Pru-fung-CMS-750-Latency.csv');
    expect(fileNameOf('../..')).toBe('holdfast');
  });
});
