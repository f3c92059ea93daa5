import { expect, it } from 'vitest';
import { BEGINNING_MARK, passwordMark, readPasswordMark } from './passwordMark.ts';

it('readPasswordMark: finds a mark and its account anywhere in a text', () => {
  const mark = passwordMark(12);
  expect(mark).toBe('{{holdfast-password-12}}');
  for (const text of [mark, `Basic ${mark}`, `a=${mark}&b=${passwordMark(3)}`])
    expect(readPasswordMark(text)).toEqual({ mark, account: 12 });
  for (const text of ['', BEGINNING_MARK, '{{password}}', 'holdfast-password-1']) expect(readPasswordMark(text)).toBeNull();
});
