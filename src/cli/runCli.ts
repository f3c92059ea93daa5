import { CommanderError } from 'commander';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { CliContext } from './context.ts';
import { EXIT, type ExitCode } from './exitCodes.ts';
import { buildProgram } from './program.ts';

/** Runs one command and returns its exit code. Prints every error, and never throws. */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  let code: number = EXIT.fine;
  const { own, after } = splitAtDashes(args);
  const writing: Promise<void>[] = [];
  const program = await buildProgram(
    own,
    {
      context,
      exit: (chosen) => {
        code = chosen;
      },
      exitAs: (chosen) => {
        code = chosen;
      },
      afterDashes: after,
    },
    (text) => writing.push(context.out.write(text)),
    (text) => writing.push(context.err.write(text)),
  );
  try {
    await program.parseAsync([...own], { from: 'user' });
    await Promise.all(writing);
  } catch (thrown) {
    await Promise.allSettled(writing);
    // If the error cannot be printed either, the exit code still reports it.
    code = await explain(thrown, context).catch(() => EXIT.failed);
  }
  return code;
}

async function explain(thrown: unknown, context: CliContext): Promise<ExitCode> {
  if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.fine : EXIT.failed;
  // Loaded on demand with the schemas of plans, because most commands do not need them.
  const { listIssues, printIssues, printProblem } = await import('./output/problems.ts');
  const problem = toProblem(thrown);
  const issues = listIssues(problem);
  if (issues.length > 0) {
    await printIssues(context.err, issues);
    return EXIT.invalidPlan;
  }
  await printProblem(context.err, problem);
  switch (thrown instanceof HoldfastError ? thrown.code : null) {
    case 'CANCELLED':
      return EXIT.stoppedByUser;
    // An unusable feed counts as an invalid plan.
    case 'FEED_UNUSABLE':
      return EXIT.invalidPlan;
    case 'TRIAL_FAILED':
      return EXIT.tryFailed;
    default:
      return EXIT.failed;
  }
}

/** Splits the arguments at `--`, only for `lab`, which runs the user's command. For other commands, `--` has its usual meaning. */
function splitAtDashes(args: readonly string[]): { readonly own: readonly string[]; readonly after: readonly string[] } {
  const at = args[0] === 'lab' ? args.indexOf('--') : -1;
  return at === -1 ? { own: args, after: [] } : { own: args.slice(0, at), after: args.slice(at + 1) };
}
