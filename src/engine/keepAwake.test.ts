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

/** Puts a `systemd-inhibit` of its own before that of the machine: it notes when it begins and when what it runs has ended. */
function inhibitThat(...lines: readonly string[]): void {
  const path = join(directory, 'systemd-inhibit');
  writeFileSync(path, ['#!/bin/sh', `log='${join(directory, 'log')}'`, ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}
const RUNS_IT = ['echo "begin $4" >>"$log"', 'shift 4', '"$@"', 'echo end >>"$log"'];

const logged = (): string[] => readFileSync(join(directory, 'log'), 'utf8').trim().split('\n');

describe.runIf(process.platform === 'linux')('a machine that makes a load', () => {
  it('is kept awake until it is released', async () => {
    inhibitThat(...RUNS_IT);
    const awake = await keepAwake();
    expect([awake.isHeld, logged()]).toEqual([true, ['begin --what=sleep:idle']]);
    awake.release();
    await expect.poll(logged).toEqual(['begin --what=sleep:idle', 'end']);
  });

  it('is kept from idling where more is not allowed', async () => {
    inhibitThat('if [ "$4" = --what=sleep:idle ]; then echo Access denied >&2; exit 1; fi', ...RUNS_IT);
    const awake = await keepAwake();
    expect([awake.isHeld, logged()]).toEqual([true, ['begin --what=idle']]);
    awake.release();
    await expect.poll(logged).toContain('end');
  });

  it.each([
    ['that refuses', ['exit 1']],
    ['that does not answer', ['exec sleep 60']],
  ])('is not known to be kept awake by a program %s', async (_, lines) => {
    inhibitThat(...lines);
    expect((await keepAwake()).isHeld).toBeNull();
  });
});

it('is not known to be kept awake where there is no such program', async () => {
  const awake = await keepAwake([['holdfast-no-such-program']]);
  awake.release();
  expect(awake.isHeld).toBeNull();
});

it('is asked again a minute after it refused, and at once where it granted it or took too long', async () => {
  let nowMs = 0;
  let asked = 0;
  const answers: Wakefulness['isHeld'][] = [null, null, true, null, null];
  const tooLong = 3;
  const ask = rememberRefusal(
    () => {
      if (asked === tooLong) nowMs += 1_000;
      return Promise.resolve({ isHeld: answers[asked++] ?? null, release() {} });
    },
    () => nowMs,
  );
  const answerAt = async (atMs: number): Promise<unknown> => {
    nowMs = atMs;
    const { isHeld } = await ask();
    return [isHeld, asked];
  };
  expect(await answerAt(0)).toEqual([null, 1]);
  expect(await answerAt(59_999)).toEqual([null, 1]);
  expect(await answerAt(60_000)).toEqual([null, 2]);
  expect(await answerAt(120_000)).toEqual([true, 3]);
  expect(await answerAt(120_001)).toEqual([null, 4]);
  expect(await answerAt(121_002)).toEqual([null, 5]);
});
