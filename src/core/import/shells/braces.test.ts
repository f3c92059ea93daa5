import { describe, expect, it } from 'vitest';
import { posixCommands } from './posix.ts';

const parseWords = (text: string): readonly string[] => posixCommands(text).commands[0]?.words ?? [];

/** The expected words are those that bash prints with `echo`. `bench/importing` compares the expansion with bash itself, through curl. */
describe('brace expansion', () => {
  it.each([
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}{1..2}', ['a1', 'a2', 'b1', 'b2']],
    ['x{3..1}', ['x3', 'x2', 'x1']],
    ['{1..9..4}', ['1', '5', '9']],
    ['{08..10}', ['08', '09', '10']],
    ['{-1..1}', ['-1', '0', '1']],
    ['{a..c}', ['a', 'b', 'c']],
    ['x{,y}', ['x', 'xy']],
  ])('gives the same words as bash: %s', (text, words) => {
    expect(parseWords(`curl ${text}`)).toEqual(['curl', ...words]);
  });

  it.each(['{a}', '{}', '{1..}', '{a..2}', '{{b}}'])('keeps braces that bash does not expand: %s', (text) => {
    expect(parseWords(`curl ${text}`)).toEqual(['curl', text]);
  });

  it.each([`'{a,b}'`, `"{1..3}"`])('keeps quoted braces: %s', (text) => {
    expect(parseWords(`curl ${text}`)).toEqual(['curl', text.slice(1, -1)]);
  });

  it('gives at most 1,000 words', () => {
    expect(parseWords(`curl ${'{1..999999999}'.repeat(20)}`)).toHaveLength(1_001);
  });
});
