import { expect, it } from 'vitest';
import { KIND_NAMES, parseConclusionsOptions } from './options.ts';

it('without options, every question is asked for its default duration', () => {
  expect(parseConclusionsOptions([])).toMatchObject({
    kinds: KIND_NAMES,
    runs: null,
    minutes: null,
    seed: null,
    cores: { target: 0, generator: 1 },
  });
});

it('with options, the named questions are asked with the given number and duration', () => {
  expect(parseConclusionsOptions(['hidden', 'healthy', '--runs', '4', '--minutes', '2', '--seed', '7', '--cores', 'free'])).toMatchObject({
    kinds: ['healthy', 'hidden'],
    runs: 4,
    minutes: 2,
    seed: 7,
    cores: null,
  });
});

it('invalid options are all reported at once', () => {
  expect(() => parseConclusionsOptions(['truth', '--runs', '0', '--seed', 'x', '--cores', '1,1'])).toThrow(
    /truth: there is no such kind[\s\S]*--runs 0:[\s\S]*--seed x:[\s\S]*--cores 1,1:[\s\S]*conclusions \[healthy/,
  );
});
