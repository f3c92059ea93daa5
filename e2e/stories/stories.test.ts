import { describe, expect, it } from 'vitest';
import { emptyBodies } from './contest/emptyBodies.ts';
import { reconnectStorm } from './contest/reconnectStorm.ts';
import { redirects } from './contest/redirects.ts';
import { isGreen } from './testing/isGreen.ts';

/** Short ones that need no program of the machine; `npm run stories -- --shift` and `--drop` prove it of all. */
describe.each([redirects, emptyBodies].map((story) => [story.id, story] as const))('%s', (_id, story) => {
  it('is green as things are', async () => {
    expect(await isGreen(story, null)).toBe(true);
  });

  it('turns red when a setting of the servers is a fifth off behind its back', async () => {
    expect(await isGreen(story, 'shift')).toBe(false);
  });

  it('turns red when the recorder loses one answer in a hundred', async () => {
    expect(await isGreen(story, 'drop')).toBe(false);
  });
});

// Whether it turns red, stories.nightly.test.ts tries.
// On a busy machine a story is told up to three times.
it(`${reconnectStorm.id} is green as things are`, { timeout: 180_000 }, async () => {
  expect(await isGreen(reconnectStorm, null)).toBe(true);
});
