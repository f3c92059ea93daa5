// Plays the stories. They reproduce past observations on this machine, and compare predictions, the app and the servers' logs.
import { writeFile } from 'node:fs/promises';
import { batchOfDay } from './framework/rotation.ts';
import { HEAD, listLine, outcomeLines } from './framework/table.ts';
import { playStory } from './framework/play.ts';
import type { Outcome } from './framework/outcome.ts';
import type { Story } from './framework/story.ts';
import { getSummary } from './framework/summary.ts';
import { playBreaks } from './breaks/playBreaks.ts';
import { readStoryOptions, USAGE, type StoryOptions } from './options.ts';
import { STORIES } from './registry.ts';

async function main(options: StoryOptions): Promise<number> {
  const print = (text: string): void => void (options.json ? null : process.stdout.write(text));
  const chosenStories = choose(options);
  if (chosenStories.length === 0) {
    process.stderr.write(`No story is called ${options.names.join(' or ')}. --list shows all.\n`);
    return 2;
  }
  if (options.list) {
    process.stdout.write(chosenStories.map(listLine).join(''));
    return 0;
  }
  const stories = options.withinSeconds === null ? chosenStories : selectToday(chosenStories, options.withinSeconds, print);
  print(`Seed ${options.seed}: the same draw again with --seed ${options.seed}\n\n${HEAD}`);
  const outcomes: Outcome[] = [];
  for (const story of stories) {
    const outcome = await playStory(story, options);
    outcomes.push(outcome);
    print(outcomeLines(outcome, options.mutation) + describeSlowness(story, outcome));
  }
  const summary = getSummary(outcomes, options.mutation, process.env['CI'] === 'true');
  print(`\n${summary.text}\n`);
  const report = `${JSON.stringify({ seed: options.seed, mutation: options.mutation, ...summary.counts, outcomes })}\n`;
  if (options.json) process.stdout.write(report);
  if (options.report !== null) await writeFile(options.report, report);
  return summary.failed ? 1 : 0;
}

function choose({ names }: StoryOptions): readonly Story[] {
  if (names.length === 0) return STORIES;
  const isSelected = (id: string, name: string): boolean =>
    STORIES.some((story) => story.id === name) ? id === name : id.startsWith(name);
  return STORIES.filter(({ id }) => names.some((name) => isSelected(id, name)));
}

/** Returns a note about a story that takes much longer than usual, because the rotation relies on the usual time. */
function describeSlowness(story: Story, { seconds }: Outcome): string {
  if (seconds < 1.5 * story.usualSeconds + 3) return '';
  return `${story.id} usually takes ${story.usualSeconds} s.\n`;
}

function selectToday(stories: readonly Story[], limitSeconds: number, print: (text: string) => void): readonly Story[] {
  const batch = batchOfDay(stories, limitSeconds, Date.now());
  const seconds = batch.stories.reduce((sum, { usualSeconds }) => sum + usualSeconds, 0);
  print(`Today batch ${batch.number} of ${batch.of}: ${batch.stories.length} of ${stories.length} stories, usually ${seconds} s\n`);
  return batch.stories;
}

try {
  const options = readStoryOptions(process.argv.slice(2));
  process.exitCode = await (options.breaks === null ? main(options) : playBreaks(options, (text) => void process.stdout.write(text)));
} catch (thrown) {
  if (!(thrown instanceof TypeError)) throw thrown;
  process.stderr.write(`${thrown.message}\n${USAGE}`);
  process.exitCode = 2;
}
