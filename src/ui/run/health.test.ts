import { describe, expect, it } from 'vitest';
import { healthOf } from './health.ts';
import { samplePoint } from '#core/testing/points.ts';

describe('healthOf', () => {
  it('counts sick seconds once and names every cause of them', () => {
    const points = [samplePoint(0), samplePoint(1, { sick: ['threadCpu', 'steal'] }), samplePoint(2, { width: 10, sick: ['steal'] })];
    expect(healthOf(points)).toEqual({
      seconds: 12,
      sickSeconds: 11,
      causes: [
        { cause: 'steal', seconds: 11 },
        { cause: 'threadCpu', seconds: 1 },
      ],
      sickNow: true,
    });
  });
});
