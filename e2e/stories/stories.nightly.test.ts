import { describe, expect, it } from 'vitest';
import { reconnectStorm } from './contest/reconnectStorm.ts';
import { redirects } from './contest/redirects.ts';
import { isGreen } from './testing/isGreen.ts';

describe.each([redirects, reconnectStorm].map((story) => [story.id, story] as const))('%s', (_id, story) => {
  it.each([
    ['a setting of the servers secretly differs by a fifth', 'shift'],
    ['the recorder loses one response in a hundred', 'drop'],
  ] as const)('%s turns red when %s', async (_what, mutation) => {
    expect(await isGreen(story, mutation)).toBe(false);
  });
});
