import { describe, expect, it } from 'vitest';
import { sampleBell } from '#core/result/testing/sampleBell.ts';
import { openingCharts, openingData, openingStates } from './bellSeries.ts';

describe('the opening of a bell', () => {
  it('counts every user at the bell once at the end of each tenth of a second', () => {
    const states = openingStates(sampleBell());
    expect(states).toHaveLength(100);
    for (const { waiting, served, failed } of states) expect(waiting + served + failed).toBe(120);
    expect(states[0]).toEqual({ afterSeconds: 0.1, waiting: 108, served: 12, failed: 0 });
    expect(states[2]?.afterSeconds).toBe(0.3);
    expect(states.at(-1)).toEqual({ afterSeconds: 10, waiting: 0, served: 118, failed: 2 });
  });

  it('is a chart from 0 to 10 seconds after the bell', () => {
    const [opening, ...others] = openingCharts([sampleBell()]);
    expect(others).toEqual([]);
    expect(opening?.toSeconds).toBe(10);
    expect(opening?.chart).toMatchObject({ title: 'Opening at the bell “start”', unit: 'count' });
    expect(opening?.chart.data.series.map(({ name, shape }) => [name, shape])).toEqual([
      ['Waiting', 'stacked'],
      ['Lost', 'stacked'],
      ['Served', 'line'],
    ]);
    expect(opening?.chart.data.spans.slice(0, 2)).toEqual([
      { second: 0, width: 0.1 },
      { second: 0.1, width: 0.1 },
    ]);
  });

  it('draws no lost users if nobody was lost', () => {
    const opening = [{ served: 120, failed: 0 }];
    expect(openingData(sampleBell({ opening })).series.map(({ id }) => id)).toEqual(['waiting', 'served']);
  });

  it('is not drawn without waiting users', () => {
    expect(openingCharts([sampleBell({ waited: 0 })])).toEqual([]);
    expect(openingCharts()).toEqual([]);
  });
});
