import { expect, it } from 'vitest';
import { readOptions } from '../running/readOptions.ts';
import { KIND_NAMES, OPTIONS } from './options.ts';

const read = (...parameters: string[]) => readOptions('conclusions', OPTIONS, parameters, KIND_NAMES);

it('without options, the campaign runs every kind with its defaults', () => {
  expect(read()).toMatchObject({ parts: KIND_NAMES, runs: null, minutes: null, seed: null, cores: { target: 0, generator: 1 } });
});

it('with options, the campaign runs only the named kinds, with the given number and duration', () => {
  expect(read('hidden', 'healthy', '--runs', '4', '--minutes', '2', '--seed', '7', '--cores', 'free')).toMatchObject({
    parts: ['healthy', 'hidden'],
    runs: 4,
    minutes: 2,
    seed: 7,
    cores: null,
  });
});

it('the campaign reports every invalid option at once', () => {
  expect(() => read('truth', '--runs', '0', '--seed', 'x', '--cores', '1,1')).toThrow(
    /truth: there is no truth[\s\S]*--runs 0:[\s\S]*--seed x:[\s\S]*--cores 1,1:[\s\S]*conclusions \[healthy/,
  );
});
