import { describe, expect, it } from 'vitest';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { emptyWindow, findOrAddCell } from '#core/measurement/windowFold.ts';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import type { Window } from '#core/measurement/window.ts';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { countOversold, placesSentences, PlacesTally } from './places.ts';

const PLAN: Plan = planSchema.parse({
  holdfast: 1,
  name: 'camp',
  targets: [{ url: 'http://127.0.0.1/' }],
  journey: [
    { name: 'form', places: { full: 'none left' } },
    { name: 'register', method: 'POST', redirects: { follow: true }, places: { count: 3, full: 'none left' } },
  ],
  stored: [{ name: 'rows', step: 'register', url: 'http://127.0.0.1/rows' }],
  load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 9, seconds: 10 }] },
});

function makeWindow(second: number, step: number, times: { given?: readonly number[]; refused?: readonly number[] }): Window {
  const window = emptyWindow(second, 1);
  const cell = findOrAddCell(window, 0, step);
  for (const [kind, all = []] of [
    ['placeGiven', times.given],
    ['placeRefused', times.refused],
  ] as const) {
    const histogram = createHistogram();
    for (const ms of all) record(histogram, ms * 1_000);
    if (all.length > 0) cell.times[kind] = histogram;
  }
  return decodeWindow(encodeWindow(window));
}

describe('PlacesTally', () => {
  it('counts places of the step and its redirects, and refusals at every step', () => {
    const tally = new PlacesTally();
    tally.add(makeWindow(1, 1, { given: [10, 20], refused: [25, 40] }));
    tally.add(makeWindow(2, 2, { given: [31] }));
    tally.add(makeWindow(2, 0, { refused: [50] }));
    expect(
      tally.result(PLAN, [
        { step: 'register', before: 5, after: 9 },
        { step: 'form', before: 0, after: 1 },
      ]),
    ).toEqual({
      step: 'register',
      places: 3,
      given: 3,
      refused: 3,
      stored: 4,
      disorderMs: 6,
    });
  });

  it('reports whether places were given in the order of arrival, and nothing for a plan without places', () => {
    const tally = new PlacesTally();
    tally.add(makeWindow(1, 1, { given: [10, 20], refused: [25] }));
    expect(tally.result(PLAN, [])).toMatchObject({ stored: null, disorderMs: 0 });
    expect(tally.result({ ...PLAN, journey: PLAN.journey.slice(0, 1) }, [])).toBeUndefined();
  });
});

describe('placesSentences', () => {
  const result = { step: 'register', places: 80, given: 80, refused: 520, stored: 80, disorderMs: 0 };

  it('report a registration whose places were given once', () => {
    expect([countOversold(result), placesSentences(result)]).toEqual([
      0,
      ['80 of 80 places were given.', '520 saw that no place was left.', 'Places were given in the order of arrival.'],
    ]);
  });

  it('report overselling, whether it shows in the responses or in the stored places', () => {
    expect(placesSentences({ ...result, given: 83, stored: null })[0]).toBe('83 places were given for 80: oversold by 3.');
    expect(placesSentences({ ...result, stored: 81, disorderMs: 42 })).toEqual([
      '81 places were given for 80: oversold by 1.',
      '520 saw that no place was left.',
      'The responses gave 80 places, and 81 are stored.',
      'Places were given in the order of arrival within 42 ms: so much later than the first who saw that none was left, somebody still got one.',
    ]);
  });
});
