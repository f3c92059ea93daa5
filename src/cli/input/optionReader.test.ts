import { describe, expect, it } from 'vitest';
import { parseDurationSeconds } from './optionReader.ts';

describe('parseDurationSeconds', () => {
  it.each([
    ['10', 10],
    ['10s', 10],
    ['0.5', 0.5],
    ['500ms', 0.5],
    ['2m', 120],
    ['1m30s', 90],
    ['1h', 3_600],
  ])('reads %s', (text, seconds) => expect(parseDurationSeconds(text)).toBe(seconds));

  it.each(['', '0', '0s', '-1', 's', '10 s', '1d', '1e3', 'ten', '10s!'])('refuses %j', (text) =>
    expect(parseDurationSeconds(text)).toBeNull(),
  );
});
