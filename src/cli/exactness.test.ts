import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { resultSchema, type RunResult } from '#core/report/result.ts';
import { DEFAULT_LAB_OPTIONS } from '#lab/lab.ts';
import { findLab } from '#lab/registry.ts';
import { startNginx } from '#workers/testing/nginx.ts';
import { temporaryDirectory } from './testing/directory.ts';
import { startHarness } from './testing/harness.ts';
import { startTarget } from './testing/target.ts';

const REPETITIONS = 20;

/** A server that knows how many requests it has answered. */
interface Witness {
  readonly url: string;
  count(): number | Promise<number>;
}

async function nginxAsItShips(): Promise<Witness> {
  const nginx = await startNginx();
  onTestFinished(async () => void (await stopped()));
  let lines: Promise<number> | undefined;
  const stopped = (): Promise<number> => (lines ??= nginx.stop());
  return { url: nginx.url, count: stopped };
}

async function practiceContest(): Promise<Witness> {
  const file = join(await temporaryDirectory(), 'access.log');
  const lab = await findLab('contest').start({ ...DEFAULT_LAB_OPTIONS, serviceMs: 0, accessLogFile: file });
  onTestFinished(() => lab.stop());
  return {
    url: lab.urls[0] ?? '',
    async count() {
      await lab.stop();
      return (await readFile(file, 'utf8')).split('\n').length - 1;
    },
  };
}

async function closingServer(): Promise<Witness> {
  const target = await startTarget({ close: true });
  return { url: target.url, count: () => target.requests };
}

function answered({ ledger }: RunResult): number {
  return ledger.requests.ok;
}

describe('the books of whole runs against the log of the server', () => {
  it.each([
    ['nginx as it ships', nginxAsItShips, 7_001],
    ['the practice contest', practiceContest, 400],
    ['a server that closes every connection', closingServer, 300],
  ])(
    `agree exactly over ${REPETITIONS} runs, by requests and by time: %s`,
    async (_name, start, requests) => {
      const witness = await start();
      const cli = await startHarness();
      let total = 0;
      for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
        const end = repetition % 2 === 0 ? ['-n', String(requests)] : ['-d', '300ms'];
        const { code, out, err } = await cli.run('quick', witness.url, '-c', '3', ...end, '--json', '-');
        expect([code, err]).toEqual([0, '']);
        const result = resultSchema.parse(JSON.parse(out));
        expect(result.balances).toBe(true);
        expect(result.ledger.requests.sent).toBe(answered(result));
        if (repetition % 2 === 0) expect(answered(result)).toBe(requests);
        total += answered(result);
      }
      expect(await witness.count()).toBe(total);
    },
    120_000,
  );
});
