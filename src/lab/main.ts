import { problemOf } from '#core/errors.ts';
import { readLabArguments } from './options.ts';
import { findLab, LABS } from './registry.ts';

/**
 * A practice server as a child process. Writes one line of JSON when every shard answers: {name, urls, accounts}, or
 * {problem: {code, message, hint}} and ends with 1. Ends on SIGTERM, SIGINT and when standard input ends, so that it never
 * outlives whoever started it. With `--list` it writes one line of JSON with every practice server there is, and ends.
 */
async function main(): Promise<void> {
  if (process.argv[2] === '--list') {
    process.stdout.write(`${JSON.stringify(LABS.map(({ name, title, story }) => ({ name, title, story })))}\n`);
    return;
  }
  const { name, options } = readLabArguments(process.argv.slice(2));
  const { urls, accounts, stop } = await findLab(name).start(options);
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    void stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.stdin.once('end', end).once('error', end).resume();
  process.stdout.on('error', end);
  process.stdout.write(`${JSON.stringify({ name, urls, accounts })}\n`);
}

main().catch((thrown: unknown) => {
  process.stdout.write(`${JSON.stringify({ problem: problemOf(thrown) })}\n`);
  process.exitCode = 1;
});
