import {
  nameOfCheck,
  outcomeOfChecks,
  type SelfTestCheck,
  type SelfTestFact,
  type SelfTestOutcome,
  type SelfTestProgress,
  type SelfTestReport,
  LIMIT_NAMES,
} from '#core/measurement/selfTest/report.ts';
import { formatCount, formatMs, formatRate, formatShare } from '#core/base/units.ts';
import type { HoldfastError } from '#core/base/errors.ts';
import type { Client } from '#contract/rpc/client.ts';
import { textTable } from '../output/problems.ts';
import { type CliContext, type AddCommand, withBackend } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { jsonText } from '../output/jsonFile.ts';

/** Formats a check with all compared figures. */
export function checkText(check: SelfTestCheck): string {
  const { facts, passed, repeats, steal, problem, story } = check;
  const again =
    repeats === 0 ? '' : ` (times measured ${repeats + 1} times: the hypervisor took ${formatShare(steal ?? 0)} of processor time)`;
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
  // Byte counts are not rounded to a unit, because they are compared exactly.
  return unit === 'bytes' ? `${formatCount(value)} B` : formatCount(value);
}

const ADVICE: Record<SelfTestOutcome, string> = {
  passed: '',
  wrong: '',
  busy: 'Every count is right; times are not: this computer was busy. Close other programs and run it again.\n',
  stolen:
    'Every count is right; times are not: the host of this virtual machine took processor time away. Run it again at a quieter hour, or on a machine with its own processor.\n',
};

/** Formats the conclusion. Checks are printed as they end. */
export function selfTestText({ checks, limits, passed, machine, seconds }: SelfTestReport): string {
  const failedChecks = checks.filter((check) => !check.passed);
  const rate = (value: number | null): string => (value === null ? 'not measured' : formatRate(value));
  const verdict = passed ? `passed: ${checks.length} of ${checks.length} checks` : `FAILED: ${failedChecks.map(nameOfCheck).join(', ')}`;
  const rows = [
    [LIMIT_NAMES.requestsPerSecond, rate(limits.requestsPerSecond)],
    [`${LIMIT_NAMES.arrivalsPerSecond}, lag p99 below ${formatMs(limits.lagLimitMs)}`, rate(limits.arrivalsPerSecond)],
    [LIMIT_NAMES.connectionsPerSecond, rate(limits.connectionsPerSecond)],
  ];
  return `
Limits of ${machine.hostname} (${machine.cores} cores, Node ${machine.nodeVersion}) against a server on the same machine:
${textTable(rows.map((row) => row.map((cell, index) => (index === 0 ? `  ${cell}` : cell))))}
${verdict} in ${Math.round(seconds)} s
${ADVICE[outcomeOfChecks(checks)]}`;
}

interface SelfTestFlags {
  readonly quick?: boolean;
  readonly json?: boolean;
}

export const addSelfTest: AddCommand = (program, { context, exit }) => {
  program
    .command('selftest')
    .description('compare the figures of this computer with a server that knows the true values, and find its limits')
    .option('--quick', 'short variant: half a minute, one engine')
    .option('--json', 'print the report as JSON')
    .action(async (flags: SelfTestFlags) => {
      exit(await withBackend(context, (backend) => perform(backend.client(), flags, context)));
    });
};

async function perform(client: Client, { quick = false, json = false }: SelfTestFlags, context: CliContext): Promise<ExitCode> {
  const report = await runToTheEnd(client, quick, context, json);
  if (!report) return EXIT.stoppedByUser;
  await context.out.write(json ? jsonText(report) : selfTestText(report));
  return report.passed ? EXIT.fine : EXIT.selfTestFailed;
}

/** Runs the self-test and prints each check; on standard error if the report is JSON. Returns the report, or null if stopped. */
function runToTheEnd(client: Client, quick: boolean, context: CliContext, json: boolean): Promise<SelfTestReport | null> {
  const out = json ? context.err : context.out;
  return new Promise((resolve, reject) => {
    let printedCount = 0;
    let report: SelfTestReport | null = null;
    const leave = client.open(
      'selftest.run',
      { quick },
      {
        onItem(progress: SelfTestProgress) {
          for (const check of progress.checks.slice(printedCount)) void out.write(checkText(check));
          printedCount = progress.checks.length;
          report = progress.report;
        },
        onEnd(problem?: HoldfastError) {
          release();
          if (problem) reject(problem);
          else resolve(report);
        },
      },
    );
    let interrupts = 0;
    const release = context.onInterrupt(() => {
      interrupts += 1;
      if (interrupts > 1) return context.quit(EXIT.stoppedByUser);
      void context.err.write('Stopped. Nothing of this self-test is kept.\n');
      leave();
      release();
      resolve(null);
    });
  });
}
