import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { TERMINAL_HARM } from '#core/testing/hostileStrings.ts';
import { PLANS } from '../plans.ts';
import { describeThrown, type Findings, type PartContext } from './part.ts';

const ENTRY = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const COMMAND_LIMIT_MS = 120_000;
const RUN_SECONDS = 3;
/** Maximum number of bytes of output that are inspected. */
const MAX_OUTPUT_BYTES = 50_000_000;

/** Runs commands that print texts from a server, and checks that their output does not control the terminal. */
export async function runTerminal({ app, server, seconds, signal, notify }: PartContext): Promise<Findings> {
  // Here the backend only stores files, and its start is not part of the test.
  await app.begin();
  const before = await server.counts();
  const startedMs = performance.now();
  const plan = join(app.dataDirectory, 'plan.yaml');
  await writeFile(plan, stringify(PLANS.journey(server, RUN_SECONDS, 'native')));
  const commands: readonly (readonly string[])[] = [
    ['try', plan],
    ['run', plan],
    ['runs'],
    ['show', 'last'],
    ['show', 'last', '--samples'],
    ['crawl', `${server.url}/calm/page`, '--time', '5s', '--pages', '30'],
    ['check', '--plan', plan],
    ['quick', `${server.secureUrl}/calm/page`, '--insecure', '-n', '200'],
  ];
  const wrong = new Set<string>();
  let largest = 0;
  let requestCount = 0;
  for (let turn = 0; turn === 0 || (performance.now() - startedMs < seconds * 1_000 && !signal.aborted); turn += 1) {
    for (const parameters of commands) {
      if (signal.aborted) break;
      const [command = ''] = parameters;
      try {
        const output = await runToEnd(parameters, join(app.dataDirectory, 'terminal'));
        requestCount += 1;
        largest = Math.max(largest, output.length);
        const at = output.search(TERMINAL_HARM);
        if (at >= 0) wrong.add(`${command}: writes ${JSON.stringify(output.slice(Math.max(0, at - 30), at + 30))}`);
        if (/Internal error in Holdfast|\n {4}at /.test(output)) wrong.add(`${command}: ${output.slice(-300)}`);
      } catch (thrown) {
        wrong.add(`${command}: ${describeThrown(thrown)}`);
      }
    }
  }
  notify(`${requestCount} commands`);
  return {
    requests: null,
    serverRequests: (await server.counts()).requests - before.requests,
    hasMemory: false,
    memory: { early: null, late: null },
    seen: app.seen,
    resultBytes: largest,
    storeBytes: 0,
    hasEnded: true,
    wrong: [...wrong],
  };
}

/** Runs a command and returns its standard output and standard error together. */
function runToEnd(parameters: readonly string[], home: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [ENTRY, ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HOLDFAST_HOME: home, NO_COLOR: '1' },
    });
    const pieces: Buffer[] = [];
    let bytes = 0;
    const collect = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes <= MAX_OUTPUT_BYTES) pieces.push(piece);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`it had not ended after ${COMMAND_LIMIT_MS / 1_000} s`));
    }, COMMAND_LIMIT_MS);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(pieces).toString('utf8'));
    });
  });
}
