import { describe, expect, it } from 'vitest';
import { readLabArguments } from './options.ts';

describe('readLabArguments', () => {
  it('reads the name and the flags, and has defaults', () => {
    expect(readLabArguments(['contest'])).toEqual({
      name: 'contest',
      options: { shards: 2, port: null, accessLogFile: null, serviceMs: null },
    });
    expect(readLabArguments(['contest', '--shards', '4', '--port=8100', '--access-log', 'a.log', '--service-ms', '0'])).toEqual({
      name: 'contest',
      options: { shards: 4, port: 8_100, accessLogFile: 'a.log', serviceMs: 0 },
    });
  });

  it('names every flag that cannot be used', () => {
    expect(() => readLabArguments(['contest', '--shards', '0', '--port', 'x'])).toThrow(
      expect.objectContaining({ code: 'BAD_OPTION', hint: expect.stringMatching(/--shards[\s\S]*--port/) }),
    );
    expect(() => readLabArguments(['contest', '--nonsense'])).toThrow(expect.objectContaining({ code: 'BAD_OPTION' }));
    expect(() => readLabArguments(['contest', 'another'])).toThrow(expect.objectContaining({ code: 'BAD_OPTION' }));
  });
});
