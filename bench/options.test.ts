import { expect, it } from 'vitest';
import { parseOptions } from './options.ts';

const ids = ['wrk', 'oha'];

it('the bench measures everything if there are no options', () => {
  expect(parseOptions([], ids)).toMatchObject({
    parts: ['speed', 'https', 'http2', 'times', 'arrivals'],
    rounds: 5,
    subjects: null,
    cores: { target: 0, generator: 1 },
    delays: [{ text: 'fixed:20' }, { text: 'exponential:20' }],
  });
});

it('the bench accepts parts in any order, generators, and paths of programs', () => {
  const options = parseOptions(['arrivals', 'speed', '--subjects', 'oha, wrk', '--tool', 'oha=/opt/a=b/oha', '--cores', 'free'], ids);
  expect(options).toMatchObject({ parts: ['speed', 'arrivals'], subjects: ['oha', 'wrk'], cores: null });
  expect(options.tools).toEqual(new Map([['oha', '/opt/a=b/oha']]));
});

it('the bench reports every invalid option at once', () => {
  const wrong = ['sped', '--rounds', '0', '--seconds', '1.5', '--subjects', 'wrk2', '--tool', 'oha', '--delays', 'fixed', '--cores', '1,1'];
  const parseWrong = (): void => void parseOptions(wrong, ids);
  for (const part of ['sped', '--rounds 0', '--seconds 1.5', 'wrk2', '--tool oha', '--delays fixed', '--cores 1,1'])
    expect(parseWrong).toThrow(part);
});
