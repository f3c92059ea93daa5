import type { SelfTestFact } from '#core/measurement/selfTest/report.ts';

/** A count that must be exactly what the server knows. */
export function countFact(name: string, measured: number, known: number, unit: '' | 'bytes' = ''): SelfTestFact {
  return { name, kind: 'count', unit, measured, known, tolerance: 0, passed: measured === known };
}

/** A time in microseconds that may differ from the server's by so much; one that is not there does not pass. */
export function timeFact(name: string, measuredUs: number | null, knownUs: number | null, toleranceUs: number): SelfTestFact {
  return {
    name,
    kind: 'time',
    unit: 'ms',
    measured: milliseconds(measuredUs),
    known: milliseconds(knownUs),
    tolerance: toleranceUs / 1_000,
    passed: measuredUs !== null && knownUs !== null && Math.abs(measuredUs - knownUs) <= toleranceUs,
  };
}

function milliseconds(valueUs: number | null): number | null {
  return valueUs === null ? null : valueUs / 1_000;
}
