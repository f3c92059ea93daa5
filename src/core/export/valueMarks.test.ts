import { expect, it } from 'vitest';
import { ValueMarks } from './valueMarks.ts';

it('ValueMarks: restores values after the address was resolved, and keeps texts that look like marks', () => {
  const texts = ['/a/holdfastvalue0z/', '?HoldfastValueX=1'];
  const marks = new ValueMarks<{ readonly variable: string }>(texts);
  const path = `${texts[0]}${marks.mark({ variable: 'ID' })}/..%20/${marks.mark({ variable: 'NAME' })}${texts[1]}`;
  const { href } = new URL(path, 'http://127.0.0.1/');
  expect(marks.parseMarks(href, (text) => text.toUpperCase())).toEqual([
    'HTTP://127.0.0.1/A/HOLDFASTVALUE0Z/',
    { variable: 'ID' },
    '/..%20/',
    { variable: 'NAME' },
    '?HOLDFASTVALUEX=1',
  ]);
});

it('ValueMarks: returns a text without values unchanged', () => {
  expect(new ValueMarks<string>(['/holdfastvalue0z']).parseMarks('/holdfastvalue0z', (text) => text)).toEqual(['/holdfastvalue0z']);
});
