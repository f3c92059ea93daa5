import type { HoldfastError } from '#core/base/errors.ts';
import type { SelfTestProgress, SelfTestReport } from '#core/measurement/selfTest/report.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { jsonText } from '../output/jsonFile.ts';
import { checkText, selfTestText } from '../output/selfTestText.ts';
import { withBackend, type AddCommand } from './command.ts';

interface SelfTestFlags {
  readonly quick?: boolean;
  readonly json?: boolean;
}

export const addSelfTest: AddCommand = (program, { context, exit }) => {
  program
    .command('selftest')
    .description('compare what this computer measures with a server that knows the truth, and find its limits')
    .option('--quick', 'the short variant: half a minute, one engine')
    .option('--json', 'the report as JSON')
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

/** The report; null when it was stopped. Checks are told as they end, on standard error when the report is JSON. */
function runToTheEnd(client: Client, quick: boolean, context: CliContext, json: boolean): Promise<SelfTestReport | null> {
  const out = json ? context.err : context.out;
  return new Promise((resolve, reject) => {
    let shown = 0;
    let report: SelfTestReport | null = null;
    const leave = client.open(
      'selftest.run',
      { quick },
      {
        onItem(progress: SelfTestProgress) {
          for (const check of progress.checks.slice(shown)) void out.write(checkText(check));
          shown = progress.checks.length;
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
      void context.err.write('Stopped: nothing of this self-test is kept.\n');
      leave();
      release();
      resolve(null);
    });
  });
}
