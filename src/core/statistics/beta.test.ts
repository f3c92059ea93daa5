import { describe, expect, it } from 'vitest';
import { student95, studentQuantile } from './bounds.ts';

describe('studentQuantile and student95', () => {
  it('equal the published table', () => {
    for (let freedom = 1; freedom <= 18; freedom += 1) expect(studentQuantile(freedom, 0.05)).toBeCloseTo(student95(freedom), 3);
  });

  it('approach the normal quantiles and work at other levels', () => {
    expect(studentQuantile(1_000_000, 0.05)).toBeCloseTo(1.96, 2);
    // The value is that of NIST/SEMATECH e-Handbook 1.3.6.7.2: 99 % two-sided, 10 degrees of freedom.
    expect(studentQuantile(10, 0.01)).toBeCloseTo(3.169, 3);
  });
});
