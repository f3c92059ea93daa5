import { pathToFileURL } from 'node:url';
import { toProblem } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/**
 * Runs a practice server as a child process. `NAME {"option": value}` prints lines of JSON: {progress} during the start, and one when
 * everything responds. If the start fails, it prints {problem: {code, message, hint}} and exits with 1. It prints its secrets when it
 * reads the line `reveal` on standard input. It ends on SIGTERM, on SIGINT and at the end of standard input, so it never outlives its
 * parent. `--list` lists all practice servers. The practice server itself starts the processes `--part` and `--watchdog`.
 */
async function main([first, second]: readonly string[]): Promise<void> {
  switch (first) {
    case '--list':
      return printJson(await (await import('./registry.ts')).listLabs(process.env));
    case '--part':
      return runOnePart(second ?? '');
    case '--watchdog':
      return (await import('./supervisor/watchdog.ts')).watch(process.stdin);
    default:
      return serveLab(first ?? '', second ?? '{}');
  }
}

async function runOnePart(kind: string): Promise<void> {
  const { PARTS } = await import('./parts.ts');
  const load = getOwn(PARTS, kind);
  if (!load) throw new Error(`There is no part ${kind}.`);
  const { runPart } = await import('./supervisor/part.ts');
  await runPart(await load());
}

async function serveLab(name: string, optionsText: string): Promise<void> {
  const { createInterface } = await import('node:readline');
  const { cacheDirectoryFor } = await import('./cacheDirectory.ts');
  const { givenOptionsSchema } = await import('#core/base/lab/listing.ts');
  const { findLab } = await import('./registry.ts');
  let stopping = false;
  let stop: () => Promise<void> = () => Promise.resolve();
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    // If this happens during the start, the watchdog ends what was started.
    void stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.stdout.on('error', end);
  const lines = createInterface({ input: process.stdin });
  lines.once('close', end);
  const lab = await findLab(name).start(givenOptionsSchema.parse(JSON.parse(optionsText)), {
    entry: pathToFileURL(process.argv[1] ?? ''),
    cacheDirectory: cacheDirectoryFor(process.env),
    environment: process.env,
    onProgress: (progress) => printJson({ progress }),
  });
  stop = () => lab.stop();
  lines.on('line', (line) => {
    if (line === 'reveal') printJson({ secrets: lab.reveal() });
  });
  void lab.broken.then(async (what) => {
    if (stopping) return;
    stopping = true;
    process.stderr.write(`${what}\n`);
    await lab.stop();
    process.exit(1);
  });
  const { urls, addresses, accounts, control, folder, hasSecrets } = lab;
  printJson({ urls, addresses, accounts, control, folder, hasSecrets });
}

function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  process.stdout.write(`${JSON.stringify({ problem: toProblem(thrown) })}\n`, () => process.exit(1));
}
