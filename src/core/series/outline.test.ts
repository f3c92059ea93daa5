import { describe, expect, it } from 'vitest';
import { arrivals, stages } from '../testing/plans.ts';
import { describeSeries, seriesTotals } from './outline.ts';
import { documentWith } from './testing/series.ts';

const variants = [
  { name: 'node', targets: [{ url: 'http://127.0.0.1:1/' }] },
  { name: 'gunicorn', targets: [{ url: 'http://127.0.0.1:2/' }] },
];

describe('seriesTotals', () => {
  it('returns the addresses of all variants, and the time and requests of all repeats', () => {
    const load = arrivals([{ kind: 'constant', perSecond: 10, seconds: 6 }]);
    const document = documentWith({ variants, repeats: 3, coolDownSeconds: 2 }, { load });
    expect(seriesTotals(document)).toEqual({
      urls: ['http://127.0.0.1:1/', 'http://127.0.0.1:2/'],
      seconds: 6 * (6 + 2),
      requests: 6 * 60,
    });
    expect(describeSeries(document).at(-1)).toBe('All runs and the pauses between them take at least 48 s.');
  });

  it('excludes impossible cells, and returns null where a total depends on responses', () => {
    const matrix = documentWith(
      { levels: { connections: [1, 100], requests: [10, 1_000] } },
      { load: stages({ connections: 1, requests: 1 }) },
    );
    expect(seriesTotals(matrix)).toMatchObject({ seconds: null, requests: 10 + 1_000 + 1_000 });
    const timed = documentWith({ variants }, { load: stages({ connections: 5, seconds: 4 }) });
    expect(seriesTotals(timed)).toMatchObject({ seconds: 12, requests: null });
  });
});
