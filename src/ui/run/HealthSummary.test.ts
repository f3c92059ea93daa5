import { describe, expect, it } from 'vitest';
import { samplePoint } from '#core/testing/points.ts';
import { healthOf } from './HealthSummary.tsx';

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
