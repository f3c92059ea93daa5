import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { startHarness, type Harness, type RunningCommand } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

let target: Awaited<ReturnType<typeof startTarget>>;
let inviter: Harness;

beforeEach(async () => {
  target = await startTarget();
  inviter = await startHarness();
  const stages = [{ connections: 4, requests: 40 }];
  const plan = {
    holdfast: 1,
    name: 'Class',
    targets: [{ url: target.url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages },
  };
  writeFileSync(join(inviter.directory, 'plan.yaml'), JSON.stringify(plan));
});

/** Returns the invitation once the command has printed it. */
async function readLine(command: RunningCommand): Promise<string> {
  await expect.poll(() => command.err.text).toContain('npx holdfast join ');
  return /npx holdfast join '(\S+)'/.exec(command.err.text)?.[1] ?? '';
}

it('hosts invite runs the plan from the computers whose users agree', { timeout: 120_000 }, async () => {
  const [agreeing, declining] = [await startHarness({ lines: ['y'] }), await startHarness({ lines: ['n'] })];
  const invited = inviter.start('hosts', 'invite', 'plan.yaml', '--address', '127.0.0.1', '--json', 'result.json');
  const line = await readLine(invited);
  expect(await declining.run('join', line)).toMatchObject({ code: 130, err: expect.stringContaining('You did not agree.') });
  const joined = await agreeing.run('join', `npx holdfast join '${line}'`);
  expect(joined).toMatchObject({ code: 0, err: expect.stringContaining('This computer sent 40 requests.\nThe run has ended.') });
  expect(joined.err).toContain(`Target: ${new URL(target.url).href}\n`);
  expect(joined.err).toContain('127.0.0.1 (this means your own computer)');
  const { code, err } = await invited.done;
  expect([code, target.requests]).toEqual([0, 40]);
  expect(err).toMatch(/invited-1 at 127\.0\.0\.1 declined\.\n[\s\S]*invited-2 at 127\.0\.0\.1 \(.+, \d+ cores?\) is ready\./);
  const result: unknown = JSON.parse(readFileSync(join(inviter.directory, 'result.json'), 'utf8'));
  expect(result).toMatchObject({ balances: true, outcomes: { requests: { sent: 40 } }, generators: [{ name: 'invited-2', lost: null }] });
});

it('hosts invite withdraws the invitation at Ctrl-C, and join sends nothing without a terminal', { timeout: 120_000 }, async () => {
  const invited = inviter.start('hosts', 'invite', 'plan.yaml', '--address', '127.0.0.1');
  const line = await readLine(invited);
  const nobody = await startHarness();
  expect(await nobody.run('join', line)).toMatchObject({ code: 1, err: expect.stringContaining('Nobody can be asked here') });
  invited.interrupt();
  expect(await invited.done).toMatchObject({ code: 130, err: expect.stringContaining('You withdrew the invitation.') });
  expect(await nobody.run('join', line)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing accepts connections at 127.0.0.1:'),
  });
  expect(target.requests).toBe(0);
});

it('hosts invite rejects impossible numbers, and join rejects a text that is not an invitation', async () => {
  for (const [option, value] of [
    ['--computers', '17'],
    ['--port', 'x'],
  ] as const)
    expect(await inviter.run('hosts', 'invite', 'plan.yaml', option, value)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${option} ${value}: not a number from 1 to`),
    });
  expect(await inviter.run('join', 'x')).toMatchObject({ code: 1, err: expect.stringContaining('This is not an invitation.') });
});
