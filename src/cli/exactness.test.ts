import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { missingNginx } from '#lab/programs/nginx.ts';
import { findLab } from '#lab/registry.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { startNginx } from '#workers/testing/nginx.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { startHarness } from './testing/harness.ts';
import { startSecureTarget } from './testing/secureTarget.ts';
import { startTarget } from './testing/target.ts';

/** Number of runs per case; HOLDFAST_REPETITIONS=20 for a thorough check. */
const REPETITIONS = Number(process.env['HOLDFAST_REPETITIONS'] ?? 1);

/** A server that counts its responses. */
interface CountingTarget {
  readonly url: string;
  count(): number | Promise<number>;
  /** Options with which `run` reaches the server. */
  readonly options?: readonly string[];
}

async function startDefaultNginx(): Promise<CountingTarget> {
  const nginx = await startNginx();
  onTestFinished(async () => void (await stopNginx()));
  let lines: Promise<number> | undefined;
  const stopNginx = (): Promise<number> => (lines ??= nginx.stop());
  return { url: nginx.url, count: stopNginx };
}

async function practiceContest(): Promise<CountingTarget> {
  const logs = temporaryDirectory();
  const lab = await findLab('contest').start({ 'service-ms': 0, logs }, testSurroundings());
  onTestFinished(() => lab.stop());
  return {
    url: lab.urls[0] ?? '',
    async count() {
      await lab.stop();
      return (await readFile(join(logs, 'contest.log'), 'utf8')).split('\n').length - 1;
    },
  };
}

async function closingServer(): Promise<CountingTarget> {
  const target = await startTarget({ close: true });
  return { url: target.url, count: () => target.requests };
}

async function secureServer(): Promise<CountingTarget> {
  const target = await startSecureTarget();
  return { url: target.url, count: () => target.requests, options: ['--ca', target.certificateFile] };
}

function countSuccessful({ outcomes }: RunResult): number {
  return outcomes.requests.ok;
}

const noNginx = await whyNot(await missingNginx(process.env));

describe("the request counts of a whole run equal the server's log", () => {
  it.skipIf(noNginx !== null).each(['autocannon', 'native'])(`%s, ${noNginx ?? 'nginx as it ships'}`, async (engine) =>
    compareCounts(engine, startDefaultNginx, 7_001),
  );

  it.each([
    ['autocannon', 'the practice contest', practiceContest, 400],
    ['autocannon', 'a server that closes every connection', closingServer, 300],
    ['native', 'the practice contest', practiceContest, 400],
    ['native', 'a server that closes every connection', closingServer, 300],
    ['native', 'a server behind TLS', secureServer, 1_001],
  ])('%s, %s', async (engine, _name, start, requests) => compareCounts(engine, start, requests));
});

/** Runs one stage by requests and one by time, and compares the counts with the server's. */
async function compareCounts(engine: string, start: () => Promise<CountingTarget>, requests: number): Promise<void> {
  const witness = await start();
  const cli = await startHarness();
  const ends = [{ requests }, { seconds: 0.3 }];
  const load = { model: 'connections', stages: ends.map((end) => ({ connections: 3, ...end })) };
  const plan = { holdfast: 1, name: 'exact', engine, targets: [{ url: witness.url }], journey: [{ name: 'page' }], load };
  await writeFile(join(cli.directory, 'plan.json'), JSON.stringify(plan));
  let total = 0;
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    const { code, out, err } = await cli.run('run', 'plan.json', ...(witness.options ?? []), '--json', '-');
    expect([code, err]).toEqual([0, '']);
    const result = resultSchema.parse(JSON.parse(out));
    expect(result.balances).toBe(true);
    expect(result.outcomes.requests.sent).toBe(countSuccessful(result));
    const [byRequests = 0, byTime = 0] = result.stages.map((stage) => stage.requests.sent);
    expect(byRequests).toBe(requests);
    expect(byTime).toBeGreaterThan(0);
    expect(byRequests + byTime).toBe(countSuccessful(result));
    total += countSuccessful(result);
  }
  expect(await witness.count()).toBe(total);
}
