import {
  nameOfCheck,
  outcomeOfChecks,
  type SelfTestCheck,
  type SelfTestFact,
  type SelfTestOutcome,
  type SelfTestReport,
} from '#core/measurement/selfTest/report.ts';
import { formatCount, formatMs, formatRate, formatShare } from '#core/base/units.ts';
import { textTable } from './table.ts';

/** A check with every figure that was compared, in lines. */
export function checkText(check: SelfTestCheck): string {
  const { facts, passed, repeats, steal, problem, story } = check;
  const again =
    repeats === 0 ? '' : ` (times measured ${repeats + 1} times: the hypervisor took ${formatShare(steal ?? 0)} of the processor)`;
  const rows = facts.map((fact) => [
    `  ${fact.passed ? 'equal  ' : 'WRONG  '}`.replace('equal', fact.tolerance > 0 ? 'within' : 'equal'),
    fact.name,
    `measured ${valueText(fact.measured, fact)}`,
    `the server knows ${valueText(fact.known, fact)}${fact.tolerance > 0 ? `, ± ${valueText(fact.tolerance, fact)}` : ''}`,
  ]);
  return `${passed ? 'passed' : 'FAILED'}  ${nameOfCheck(check)}: ${story}${again}\n${problem === null ? '' : `  ${problem}\n`}${textTable(rows)}`;
}

function valueText(value: number | null, { unit }: SelfTestFact): string {
  if (value === null) return 'nothing';
  if (unit === 'ms') return formatMs(value);
  // Exact, not rounded to a unit: counts of bytes are compared to the byte.
  return unit === 'bytes' ? `${formatCount(value)} B` : formatCount(value);
}

const ADVICE: Record<SelfTestOutcome, string> = {
  passed: '',
  wrong: '',
  busy: 'Every count is right; the times are not: this computer was busy with something else. Close other programs and run it again.\n',
  stolen:
    'Every count is right; the times are not: the host of this virtual machine took its processor away. Run it again at a quieter hour, or on a machine that shares its processor with no other.\n',
};

/** What it comes to; the checks themselves have been printed as they ended. */
export function selfTestText({ checks, limits, passed, machine, seconds }: SelfTestReport): string {
  const failed = checks.filter((check) => !check.passed);
  const rate = (value: number | null): string => (value === null ? 'not measured' : formatRate(value));
  const verdict = passed ? `passed: ${checks.length} of ${checks.length} checks` : `FAILED: ${failed.map(nameOfCheck).join(', ')}`;
  const rows = [
    ['Requests per second', rate(limits.requestsPerSecond)],
    [`Arrivals per second, lag p99 below ${formatMs(limits.lagLimitMs)}`, rate(limits.arrivalsPerSecond)],
    ['New connections per second', rate(limits.connectionsPerSecond)],
  ];
  return `
Limits of ${machine.hostname} (${machine.cores} cores, Node ${machine.nodeVersion}) against a server on itself:
${textTable(rows.map((row) => row.map((cell, index) => (index === 0 ? `  ${cell}` : cell))))}
${verdict} in ${Math.round(seconds)} s
${ADVICE[outcomeOfChecks(checks)]}`;
}
