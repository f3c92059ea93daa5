import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatBytes, formatMegabits, formatMs, formatPercent, formatPercentile, formatSeconds, formatShare } from './units.ts';
import { bindUnits } from './unbroken.ts';

const FORMATS = { formatBytes, formatMegabits, formatMs, formatPercent, formatPercentile, formatSeconds, formatShare };

it.each(Object.entries(FORMATS))('bindUnits: joins numbers of %s with their units', (_name, format) => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (value) => {
      const text = bindUnits(`within ${format(value)}, then`);
      expect(text.split(' ')).toHaveLength(3);
      expect(text.replaceAll('\u00A0', ' ')).toBe(`within ${format(value)}, then`);
    }),
  );
});

it('bindUnits: does not join words with numbers, but joins the parts of rates', () => {
  expect(bindUnits('95 % within 300 ms: 5 server errors, 2 min to wait')).toBe(
    '95\u00A0% within 300\u00A0ms: 5 server errors, 2\u00A0min to wait',
  );
  expect(bindUnits('3 h 5 min, 16 MB/s, 9 to 15 %.')).toBe('3\u00A0h\u00A05\u00A0min, 16\u00A0MB/s, 9 to 15\u00A0%.');
  expect(bindUnits('100 a second, 5 requests a second')).toBe('100\u00A0a\u00A0second, 5 requests a second');
});
