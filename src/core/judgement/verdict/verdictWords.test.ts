import { capitalize } from '#core/base/text.ts';
import { describe, expect, it } from 'vitest';
import { formatFrom, formatLevel, uncapitalize, formatPageRate, formatRequestRate } from './labels.ts';

describe('texts of a verdict', () => {
  it('use the singular for one', () => {
    const level = (unit: 'connections' | 'users' | 'arrivalsPerSecond', highest: number, from = highest, to = highest): string =>
      formatLevel({ unit, highest, from, to });
    expect([level('connections', 1), level('connections', 2), level('users', 1), level('users', 2)]).toEqual([
      '1 connection',
      '2 connections',
      '1 user',
      '2 users',
    ]);
    const rates = [level('arrivalsPerSecond', 5), level('arrivalsPerSecond', 5, 1), level('arrivalsPerSecond', 5, 5, 1)];
    expect(rates).toEqual(['5 arrivals a second', 'up to 5 arrivals a second', 'up to 5 arrivals a second']);
    expect([null, 1, 2].map(formatRequestRate)).toEqual([
      'an unknown number of successful responses a second',
      '1 successful response a second',
      '2 successful responses a second',
    ]);
    expect([null, 1, 2].map(formatPageRate)).toEqual([
      'an unknown number of whole pages a second',
      '1 whole page a second',
      '2 whole pages a second',
    ]);
  });

  it('state since when, unless the run failed from the beginning', () => {
    expect([formatFrom(null, 5), formatFrom(5, 5), formatFrom(6, 5), formatFrom(6, 5, ' (9 a second)')]).toEqual([
      '',
      '',
      'from 6 s on, ',
      'from 6 s on (9 a second), ',
    ]);
  });

  it('begin with a lower-case letter after a colon, except for a name', () => {
    expect([uncapitalize('None of 3'), uncapitalize('Apdex 0.9'), uncapitalize('The Apdex'), capitalize('none')]).toEqual([
      'none of 3',
      'Apdex 0.9',
      'the Apdex',
      'None',
    ]);
  });
});
