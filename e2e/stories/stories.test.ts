import { expect, it } from 'vitest';
import { emptyBodies } from './contest/emptyBodies.ts';
import { reconnectStorm } from './contest/reconnectStorm.ts';
import { redirects } from './contest/redirects.ts';
import { isGreen } from './testing/isGreen.ts';

// Short stories that need no special programs. On a busy machine, a story is played up to three times.
it.each([redirects, emptyBodies, reconnectStorm].map((story) => [story.id, story] as const))(
  '%s is green without a mutation',
  { timeout: 180_000 },
  async (_id, story) => {
    expect(await isGreen(story, null)).toBe(true);
  },
);

// Other stories are covered by stories.nightly.test.ts, and all by `npm run stories -- --shift` and `--drop`. This story is the shortest.
it.each([
  ['a setting of the servers secretly differs by a fifth', 'shift'],
  ['the recorder loses one response in a hundred', 'drop'],
] as const)(`${emptyBodies.id} turns red when %s`, async (_what, mutation) => {
  expect(await isGreen(emptyBodies, mutation)).toBe(false);
});
