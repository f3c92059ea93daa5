import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { benchOptions, report } from './options.ts';
import { runSubject, runWrk, type SubjectResult } from './subject.ts';
import { markdownTable, median } from './table.ts';

/**
 * Times of a full run against wrk's on a target that takes about 20 ms, same concurrency, interleaved, without warm-up, all of
 * them free to use any core as they are when people run them.
 * Required of the medians: p50 within 3 % of wrk's, p99 within wrk's own range plus 15 %.
 */
const options = benchOptions({ rounds: 5, seconds: 5, connections: 50 });
const target = spawn(process.execPath, [fileURLToPath(new URL('subjects/slowTarget.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [printed] = await once(target.stdout, 'data');
const load = { url: String(printed).trim(), connections: options.connections, seconds: options.seconds };

const rounds: { readonly holdfast: SubjectResult; readonly wrk: SubjectResult }[] = [];
try {
  for (let round = 1; round <= options.rounds; round += 1) {
    rounds.push({ holdfast: await runSubject('appSubject', load), wrk: await runWrk(load) });
  }
} finally {
  target.kill();
}

const of = (who: 'holdfast' | 'wrk', what: 'p50Ms' | 'p99Ms'): number[] => rounds.map((round) => round[who][what] ?? Number.NaN);
const p50Deviation = median(of('holdfast', 'p50Ms')) / median(of('wrk', 'p50Ms')) - 1;
const p99 = median(of('holdfast', 'p99Ms'));
const p99Range = { low: Math.min(...of('wrk', 'p99Ms')) * 0.85, high: Math.max(...of('wrk', 'p99Ms')) * 1.15 };
const passed = Math.abs(p50Deviation) <= 0.03 && p99 >= p99Range.low && p99 <= p99Range.high;
const ms = (value: number | null): string => (value === null ? '–' : value.toFixed(2));
const table = markdownTable(
  ['round', 'p50 ms', 'wrk p50 ms', 'p99 ms', 'wrk p99 ms'],
  rounds.map(({ holdfast, wrk }, index) => [String(index + 1), ms(holdfast.p50Ms), ms(wrk.p50Ms), ms(holdfast.p99Ms), ms(wrk.p99Ms)]),
);
const verdict = `Median p50 is ${(p50Deviation * 100).toFixed(1)} % off wrk's (3 % allowed); median p99 ${ms(p99)} ms, allowed ${ms(p99Range.low)} to ${ms(p99Range.high)}: ${passed ? 'met' : 'missed'}.`;
await report(`${table}\n\n${verdict}`, passed, { p50Deviation, p99, p99Range, options, rounds }, options.json);
