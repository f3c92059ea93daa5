import { describe, expect, it } from 'vitest';
import { typeKeys, type TypedText } from './hiddenInput.ts';

const NOTHING_TYPED: TypedText = { text: '', state: 'typing' };

describe('typeKeys', () => {
  it('collects text until Enter', () => {
    const typedText = typeKeys(typeKeys(NOTHING_TYPED, 'pa'), 'ss wörd\r');
    expect(typedText).toEqual({ text: 'pass wörd', state: 'done' });
  });

  it('deletes whole characters on Backspace', () => {
    expect(typeKeys(NOTHING_TYPED, 'ab🔑\u007f\u007fc\n')).toEqual({ text: 'ac', state: 'done' });
    expect(typeKeys(NOTHING_TYPED, '\u007fx\n')).toEqual({ text: 'x', state: 'done' });
  });

  it('discards the text on Ctrl-C and ignores other control keys', () => {
    expect(typeKeys({ text: 'secret', state: 'typing' }, '\u0003')).toEqual({ text: '', state: 'cancelled' });
    expect(typeKeys(NOTHING_TYPED, 'a\u0001\tb\n')).toEqual({ text: 'ab', state: 'done' });
  });
});
