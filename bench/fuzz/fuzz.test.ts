import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { findFault, probeLong, findSlowness } from './judge.ts';
import { minimizeInput } from './tryInputs.ts';
import { readOptions } from '../running/readOptions.ts';
import { fuzzReport, OPTIONS } from './fuzz.ts';
import { assertPromise, type Subject } from './subject.ts';
import { SUBJECTS } from './subjects/registry.ts';
import { tryInputs } from './tryInputs.ts';

/** Number of inputs per parser. `npm run bench -- fuzz` runs the whole campaign. */
const INPUTS = 60;

describe('input from outside', () => {
  it.each(SUBJECTS.map((subject) => [subject.name, subject] as const))('does no harm to its parser: %s', (_name, subject) => {
    const { found } = tryInputs(subject, { inputs: INPUTS, seed: 20_140_425, seconds: 5, isGuided: false, judgesTimes: false });
    expect(found.map(({ kind, message, input }) => `${kind}: ${message} ${JSON.stringify(input)}`)).toEqual([]);
  });
});

const subject = (read: (input: string) => unknown, changes: Partial<Subject> = {}): Subject => ({
  name: 'planted',
  seeds: ['abc!def'],
  tokens: ['!', 'x'],
  ...changes,
  read,
});

describe('a planted fault', () => {
  it('of each kind is found', () => {
    const crash = subject((input) => (input.includes('!x') ? Reflect.get(Object(null), 'a').b : null));
    expect(findFault(crash, 'a!xb')).toMatchObject({ kind: 'crash', message: expect.stringContaining('TypeError') });
    expect(
      findFault(
        subject(() => assertPromise(false, 'no')),
        '',
      ),
    ).toEqual({ kind: 'broken', message: 'no' });
    const pollutes = subject(() => Reflect.set(Object.prototype, 'polluted', 1));
    expect(findFault(pollutes, '')).toMatchObject({ kind: 'prototype' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    const addsPairs = (input: string): number => {
      let sum = 0;
      for (let one = 0; one < input.length; one += 1) for (let other = 0; other < one; other += 7) sum += input.charCodeAt(other) & 1;
      return sum;
    };
    const quadratic = subject(addsPairs, { longest: 32_768 });
    expect(probeLong(quadratic, (length) => 'x'.repeat(length)).fault?.kind).toMatch(/^(slow|grows)$/);
    const spin = (): void => {
      const endsAt = process.cpuUsage().user + 80_000;
      while (process.cpuUsage().user < endsAt);
    };
    expect(findSlowness(subject(spin), 'x', 80)?.kind).toBe('slow');
  });

  it('of memory is what each call of the parser keeps, and not garbage that has not been collected', () => {
    setFlagsFromString('--expose-gc');
    vi.stubGlobal('gc', runInNewContext('gc'));
    const allocateLarge = (): Buffer => Buffer.alloc(8_000_000, 1);
    expect(probeLong(subject(allocateLarge), (length) => 'x'.repeat(length)).fault?.kind).toBe('large');
    const leftBehind: unknown[] = [];
    const once = subject(() => {
      if (leftBehind.length === 0) leftBehind.push(allocateLarge());
      return 'x';
    });
    expect(probeLong(once, (length) => 'x'.repeat(length)).fault).toBeNull();
    vi.unstubAllGlobals();
  });

  it('is found among mutated inputs, and minimized', () => {
    const crash = subject((input) => (input.includes('!!') ? Reflect.get(Object(null), 'a').b : null));
    const { found, inputs } = tryInputs(crash, { inputs: 400, seed: 1, seconds: 10, isGuided: true, judgesTimes: false });
    expect(inputs).toBe(400);
    expect(found).toMatchObject([{ kind: 'crash', input: '!!' }]);
    expect(minimizeInput(crash, 'abc!!def', { kind: 'crash', message: findFault(crash, '!!')?.message ?? '' })).toBe('!!');
  });

  it('is reported with its input and the seed', () => {
    const crash = subject((input) => (input.includes('!!') ? Reflect.get(Object(null), 'a').b : null));
    const report = fuzzReport([tryInputs(crash, { inputs: 400, seed: 7, seconds: 10, isGuided: false, judgesTimes: false })], 7);
    expect(report).toContain('seed 7, 1 faults');
    expect(report).toContain('"!!"');
  });
});

describe('the options of fuzzing', () => {
  it('accept only names of existing parsers', () => {
    const names = SUBJECTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(readOptions('fuzz', OPTIONS, ['--count', '9', '--only', 'plan'])).toMatchObject({ count: 9, only: ['plan'], seed: 1 });
    expect(() => readOptions('fuzz', OPTIONS, ['--only', 'nothing', '--seed', 'x'])).toThrow(/there is no nothing[\s\S]*--seed x/);
  });
});
