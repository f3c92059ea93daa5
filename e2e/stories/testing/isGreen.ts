import { playStory } from '../framework/play.ts';
import type { Mutation } from '../framework/scene.ts';
import type { Story } from '../framework/story.ts';

const SEED = 20_140_424;

/** Plays a story. Returns true if the story passed, otherwise false or a text about how it ended. */
export async function isGreen(story: Story, mutation: Mutation | null): Promise<boolean | string> {
  const { ending } = await playStory(story, { seed: SEED, mutation });
  return ending.kind === 'reported' ? ending.passed : JSON.stringify(ending);
}
