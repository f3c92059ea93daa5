import type { Story } from './story.ts';

const DAY_MS = 86_400_000;

/**
 * Splits the stories, in their order, into batches that fit into a time limit. A story that is longer than the limit is a batch of its own.
 */
export function listBatches(stories: readonly Story[], limitSeconds: number): Story[][] {
  const batches: Story[][] = [];
  let seconds = Infinity;
  for (const story of stories) {
    if (seconds + story.usualSeconds > limitSeconds) {
      batches.push([]);
      seconds = 0;
    }
    batches.at(-1)?.push(story);
    seconds += story.usualSeconds;
  }
  return batches;
}

/** Returns the batch of a day (UTC). Batches rotate, so that every story has its turn. */
export function batchOfDay(
  stories: readonly Story[],
  limitSeconds: number,
  nowMs: number,
): { readonly number: number; readonly of: number; readonly stories: readonly Story[] } {
  const batches = listBatches(stories, limitSeconds);
  const index = batches.length === 0 ? 0 : Math.floor(nowMs / DAY_MS) % batches.length;
  return { number: index + 1, of: batches.length, stories: batches[index] ?? [] };
}
