import { describe, expect, it } from 'vitest';
import { playStory } from './framework/play.ts';
import type { Mutation } from './framework/scene.ts';
import { emptyBodies } from './contest/emptyBodies.ts';
import { reconnectStorm } from './contest/reconnectStorm.ts';
import { redirects } from './contest/redirects.ts';
import type { Story } from './framework/story.ts';

/** Short ones that need no program of the machine; `npm run stories -- --shift` and `--drop` prove it of all. */
const cheap: readonly Story[] = [redirects, emptyBodies, reconnectStorm];
const SEED = 20_140_424;

async function isGreen(story: Story, mutation: Mutation | null): Promise<boolean | string> {
  const { ending } = await playStory(story, { seed: SEED, mutation });
  return ending.kind === 'told' ? ending.passed : JSON.stringify(ending);
}

describe.each(cheap.map((story) => [story.id, story] as const))('%s', (_id, story) => {
  it('is green as things are', async () => {
    expect(await isGreen(story, null)).toBe(true);
  }, 60_000);

  it('turns red when a setting of the servers is a fifth off behind its back', async () => {
    expect(await isGreen(story, 'shift')).toBe(false);
  }, 60_000);

  it('turns red when the recorder loses one answer in a hundred', async () => {
    expect(await isGreen(story, 'drop')).toBe(false);
  }, 60_000);
});
