import { describe, expect, it } from 'vitest';
import { typeKeys, type Typed } from './hiddenInput.ts';

const nothing: Typed = { text: '', state: 'typing' };

describe('typeKeys', () => {
  it('collects text until Enter', () => {
    const typed = typeKeys(typeKeys(nothing, 'pa'), 'ss wörd\r');
    expect(typed).toEqual({ text: 'pass wörd', state: 'done' });
  });

  it('deletes whole characters on Backspace', () => {
    expect(typeKeys(nothing, 'ab🔑\u007f\u007fc\n')).toEqual({ text: 'ac', state: 'done' });
    expect(typeKeys(nothing, '\u007fx\n')).toEqual({ text: 'x', state: 'done' });
  });

  it('discards the text on Ctrl-C and ignores other control keys', () => {
    expect(typeKeys({ text: 'secret', state: 'typing' }, '\u0003')).toEqual({ text: '', state: 'cancelled' });
    expect(typeKeys(nothing, 'a\u0001\tb\n')).toEqual({ text: 'ab', state: 'done' });
  });
});
