import { describe, expect, it } from 'vitest';
import { posixCommands } from './posix.ts';

const wordsOf = (text: string): readonly string[] => posixCommands(text).commands[0]?.words ?? [];

/** As bash prints them for `echo`; `bench/importing` asks bash itself, by way of curl. */
describe('braces without quotes', () => {
  it.each([
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}{1..2}', ['a1', 'a2', 'b1', 'b2']],
    ['x{3..1}', ['x3', 'x2', 'x1']],
    ['{1..9..4}', ['1', '5', '9']],
    ['{08..10}', ['08', '09', '10']],
    ['{-1..1}', ['-1', '0', '1']],
    ['{a..c}', ['a', 'b', 'c']],
    ['x{,y}', ['x', 'xy']],
  ])('become words: %s', (text, words) => {
    expect(wordsOf(`curl ${text}`)).toEqual(['curl', ...words]);
  });

  it.each(['{a}', '{}', '{1..}', '{a..2}', '{{b}}'])('that a shell leaves as they are stay: %s', (text) => {
    expect(wordsOf(`curl ${text}`)).toEqual(['curl', text]);
  });

  it.each([`'{a,b}'`, `"{1..3}"`])('within quotes stay: %s', (text) => {
    expect(wordsOf(`curl ${text}`)).toEqual(['curl', text.slice(1, -1)]);
  });

  it('become no more words than anybody reads', () => {
    expect(wordsOf(`curl ${'{1..999999999}'.repeat(20)}`)).toHaveLength(1_001);
  });
});
