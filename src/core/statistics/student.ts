import { inverseIncompleteBeta } from './beta.ts';

/** Two-sided 95 % quantiles of Student's t by degrees of freedom, from 1 on (NIST/SEMATECH e-Handbook, 1.3.6.7.2). */
const T_95 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101,
] as const;

/** How many standard errors reach to either end of a 95 % interval; beyond 18 degrees of freedom the value of 18, which errs to the wide side. */
export function student95(freedom: number): number {
  return T_95[Math.min(Math.max(1, Math.floor(freedom)), T_95.length) - 1] ?? T_95[0];
}

/**
 * How many standard errors reach to either end of an interval that leaves out `outside` on both sides together, for any number of degrees of freedom: P(|T| > t) is
 * I_x(ν/2, ½) with x = ν / (ν + t²) (Abramowitz & Stegun 26.7.1).
 */
export function studentQuantile(freedom: number, outside: number): number {
  const x = inverseIncompleteBeta(freedom / 2, 0.5, outside);
  return Math.sqrt((freedom * (1 - x)) / x);
}
