import type { Visit } from '#core/result/visits.ts';

/** Returns a visit in which the page appeared. */
export function visitWith(changes: Partial<Visit> & Pick<Visit, 'number' | 'second'>): Visit {
  return {
    page: 0,
    when: changes.second < 0 ? 'before' : 'during',
    tookMs: 1_500,
    firstByteMs: 50,
    firstPaintMs: 300,
    largestPaintMs: 900,
    usableMs: 400,
    layoutShift: 0,
    clickMs: null,
    requests: 4,
    missing: {},
    leftOut: {},
    problem: null,
    browserCpuMs: 300,
    starvedMs: 20,
    steal: 0,
    ...changes,
  };
}
