/**
 * A stand-in for k6, because k6 may not be installed. It sends nothing, and writes the samples that k6 writes for a load of one-request
 * journeys at an even rate. HOLDFAST_K6_STAND_IN contains its options as JSON.
 */
import { existsSync, readFileSync } from 'node:fs';
import { journeyLines, pointLine, requestLines } from '#core/k6/testing/k6Lines.ts';
import { standInSchema } from './standInOptions.ts';

const options = standInSchema.parse(JSON.parse(process.env['HOLDFAST_K6_STAND_IN'] ?? '{}'));
const [command, ...args] = process.argv.slice(2);

if (command === 'version') {
  process.stdout.write(`k6 v${options.version} (stand-in)\n`);
} else if (command === 'run') {
  run();
} else {
  process.stderr.write(`unknown command ${command}\n`);
  process.exitCode = 104;
}

function run(): void {
  const main = args.at(-1) ?? '';
  if (main !== '-' || !readFileSync(0, 'utf8').includes('/script.js') || !existsSync('script.js') || !args.includes('--out=json=-')) {
    process.stderr.write('{"level":"error","msg":"the stand-in was not called as k6 is"}\n');
    process.exitCode = 104;
    return;
  }
  if (options.fails) {
    process.stderr.write('{"level":"error","msg":"ReferenceError: nothing is not defined"}\n');
    process.exitCode = 107;
    return;
  }
  if (options.ignoresInterrupt) process.on('SIGINT', () => {});
  else process.on('SIGINT', () => process.exit(105));
  const beganMs = Date.now();
  const gapMs = 1_000 / options.perSecond;
  let next = 0;
  process.stderr.write('{"level":"warning","msg":"a warning of the stand-in"}\n');
  const timer = setInterval(() => {
    const lines: string[] = [];
    for (; next < options.journeys && (next + 0.5) * gapMs <= Date.now() - beganMs; next += 1) lines.push(...visit(next));
    lines.push(pointLine('vus_max', Date.now(), 10));
    process.stdout.write(`${lines.join('\n')}\n`);
    if (next >= options.journeys) clearInterval(timer);
  }, 100);

  function visit(index: number): string[] {
    const startMs = beganMs + (index + 0.5) * gapMs;
    const endMs = startMs + options.responseMs;
    const isBad = index % 10 === 9;
    const vu = String((index % 10) + 1);
    const request = requestLines({
      endMs,
      step: '0',
      stage: '0',
      vu,
      waitingMs: options.responseMs,
      ...(isBad ? { status: 503, errorCode: '1503' } : {}),
    });
    return journeyLines({ beganMs: startMs, endMs, vu, ...(index === 0 ? { loadBeganMs: beganMs } : {}) }, request);
  }
}
