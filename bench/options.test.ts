import { expect, it } from 'vitest';
import { OPTIONS, PART_NAMES } from './options.ts';
import { readOptions } from './running/readOptions.ts';
import { SUBJECTS } from './subjects/registry.ts';

const read = (...parameters: string[]) => readOptions('', OPTIONS, parameters, PART_NAMES);

it('the bench measures everything if there are no options', () => {
  expect(read()).toMatchObject({
    parts: ['speed', 'https', 'http2', 'times', 'arrivals'],
    rounds: 5,
    subjects: SUBJECTS.map(({ id }) => id),
    cores: { target: 0, generator: 1 },
    delays: [{ text: 'fixed:20' }, { text: 'exponential:20' }],
  });
});

it('the bench accepts parts in any order, generators, and paths of programs', () => {
  expect(read('arrivals', 'speed', '--subjects', 'oha, wrk', '--tool', 'oha=/opt/a=b/oha', '--cores', 'free')).toMatchObject({
    parts: ['speed', 'arrivals'],
    subjects: ['wrk', 'oha'],
    cores: null,
    tool: new Map([['oha', '/opt/a=b/oha']]),
  });
});

it('the bench reports every invalid option at once', () => {
  const wrong = ['sped', '--rounds', '0', '--seconds', '1.5', '--subjects', 'wrk2', '--tool', 'oha', '--delays', 'fixed', '--cores', '1,1'];
  const parseWrong = (): void => void read(...wrong);
  for (const part of ['sped', '--rounds 0', '--seconds 1.5', 'wrk2', '--tool oha', '--delays fixed', '--cores 1,1'])
    expect(parseWrong).toThrow(part);
});
