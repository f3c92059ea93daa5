import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { resultSchema } from '#core/result/schema.ts';
import { cliProgram } from '#tools/testing/threads.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { startHarness } from './testing/harness.ts';
import { startTarget } from './testing/target.ts';

type Child = ChildProcessByStdio<null, Readable, Readable>;

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function decideOutcome(child: Child): Promise<Ended> {
  const [[code], out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

function start(home: string, ...args: string[]): { child: Child; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cliProgram, ...args], {
    env: { ...process.env, HOLDFAST_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  return {
    child,
    // This is a getter, because a pipe can have only one reader.
    get ended() {
      return decideOutcome(child);
    },
  };
}

describe('holdfast as a process', { timeout: 60_000 }, () => {
  it('keeps the result on SIGINT', async () => {
    const target = await startTarget({ delayMs: 10 });
    const { child, ended } = start(temporaryDirectory(), 'quick', target.url, '-c', '4', '-n', '100000', '--json', '-');
    await target.reached(50);
    child.kill('SIGINT');
    const { code, out } = await ended;
    expect(code).toBe(130);
    expect(resultSchema.parse(JSON.parse(out)).outcomes.requests).toMatchObject({ ok: target.requests, inFlight: 0 });
  });

  it('exits cleanly if its reader closes the pipe early', async () => {
    const { child } = start(temporaryDirectory(), '--help');
    child.stdout.destroy();
    const [[code], err] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
    expect([code, err]).toEqual([0, '']);
  });

  it('keeps an interrupted run with its measurements after SIGKILL', async () => {
    const target = await startTarget({ delayMs: 40 });
    const home = temporaryDirectory();
    const { child } = start(home, 'quick', target.url, '-c', '4', '-n', '100000');
    // The load has run for several seconds, because a kill may lose the last two seconds.
    await target.reached(400);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const cli = await startHarness({ home });
    const { out } = await cli.run('runs', '--json');
    const [run] = z.object({ runs: z.array(z.looseObject({ id: z.string(), state: z.string() })).length(1) }).parse(JSON.parse(out)).runs;
    expect(run?.state).toBe('interrupted');
    const shownResult = resultSchema.parse(JSON.parse((await cli.run('show', 'last', '--json')).out));
    expect(shownResult.run.endedBecause?.code).toBe('ownerGone');
    expect(shownResult.outcomes.requests.ok).toBeGreaterThan(0);
    expect(shownResult.outcomes.requests.ok).toBeLessThanOrEqual(target.requests);
    expect(shownResult.verdict.outcome).toBe('measured');
  });

  it('prints the whole result into a pipe, exits, and shares its data with a parallel process', async () => {
    const home = temporaryDirectory();
    const targets = [await startTarget({ delayMs: 10 }), await startTarget({ delayMs: 10 })];
    const both = targets.map(({ url }) => start(home, 'quick', url, '-c', '2', '-d', '1s', '--json', '-').ended);
    const ids: string[] = [];
    for (const [index, { code, out, err }] of (await Promise.all(both)).entries()) {
      expect([code, err]).toEqual([0, '']);
      const result = resultSchema.parse(JSON.parse(out));
      expect(result.outcomes.requests.ok).toBe(targets[index]?.requests);
      ids.push(result.run.id);
    }
    const { out } = await (await startHarness({ home })).run('runs', '--json');
    const listed = z.object({ runs: z.array(z.looseObject({ id: z.string(), state: z.literal('finished') })) }).parse(JSON.parse(out));
    expect(listed.runs.map(({ id }) => id).sort()).toEqual(ids.sort());
  });

  it('reports an unusable data folder in one paragraph', async () => {
    const { ended } = start(join(cliProgram, 'data'), 'runs');
    const { code, out, err } = await ended;
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('HOLDFAST_HOME');
  });
});
