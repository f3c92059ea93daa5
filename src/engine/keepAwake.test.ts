import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepAwake, rememberRefusal, type Wakefulness } from './keepAwake.ts';

const { PATH } = process.env;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-awake-'));
  process.env.PATH = `${directory}${delimiter}${PATH}`;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(directory, { recursive: true });
});

/** Puts a fake `systemd-inhibit` first on the PATH, which can log its start and end. */
function inhibitThat(...lines: readonly string[]): void {
  const path = join(directory, 'systemd-inhibit');
  writeFileSync(path, ['#!/bin/sh', `log='${join(directory, 'log')}'`, ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}
const RUN_COMMAND = ['echo "begin $4" >>"$log"', 'shift 4', '"$@"', 'echo end >>"$log"'];

const logged = (): string[] => readFileSync(join(directory, 'log'), 'utf8').trim().split('\n');

describe.runIf(process.platform === 'linux')('keepAwake', () => {
  it('keeps the machine awake until it is released', async () => {
    inhibitThat(...RUN_COMMAND);
    const awake = await keepAwake();
    expect([awake.isHeld, logged()]).toEqual([true, ['begin --what=sleep:idle']]);
    awake.release();
    await expect.poll(logged).toEqual(['begin --what=sleep:idle', 'end']);
  });

  it('prevents only idling if the user may not prevent suspension', async () => {
    inhibitThat('if [ "$4" = --what=sleep:idle ]; then echo Access denied >&2; exit 1; fi', ...RUN_COMMAND);
    const awake = await keepAwake();
    expect([awake.isHeld, logged()]).toEqual([true, ['begin --what=idle']]);
    awake.release();
    await expect.poll(logged).toContain('end');
  });

  it.each([
    ['refuses', ['exit 1']],
    ['does not respond', ['exec sleep 60']],
  ])('returns null when the program %s', async (_, lines) => {
    inhibitThat(...lines);
    expect((await keepAwake()).isHeld).toBeNull();
  });
});

it('keepAwake returns null if there is no inhibiting program', async () => {
  const awake = await keepAwake([['holdfast-no-such-program']]);
  awake.release();
  expect(awake.isHeld).toBeNull();
});

it('rememberRefusal asks again one minute after a refusal, and immediately after a success or a time-out', async () => {
  let nowMs = 0;
  let asked = 0;
  const replies: Wakefulness['isHeld'][] = [null, null, true, null, null];
  const tooLong = 3;
  const ask = rememberRefusal(
    () => {
      if (asked === tooLong) nowMs += 1_000;
      return Promise.resolve({ isHeld: replies[asked++] ?? null, release() {} });
    },
    () => nowMs,
  );
  const replyAt = async (atMs: number): Promise<unknown> => {
    nowMs = atMs;
    const { isHeld } = await ask();
    return [isHeld, asked];
  };
  expect(await replyAt(0)).toEqual([null, 1]);
  expect(await replyAt(59_999)).toEqual([null, 1]);
  expect(await replyAt(60_000)).toEqual([null, 2]);
  expect(await replyAt(120_000)).toEqual([true, 3]);
  expect(await replyAt(120_001)).toEqual([null, 4]);
  expect(await replyAt(121_002)).toEqual([null, 5]);
});
