import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPreset } from '#core/presets/parse.ts';
import { splitStory } from './QuestionList.tsx';

it('splitStory: splits a story after its first sentence, ignoring decimal points', () => {
  expect(splitStory('Load 2.5 pages a second. Then stop.')).toEqual(['Load 2.5 pages a second.', 'Then stop.']);
  expect(splitStory('One sentence without more')).toEqual(['One sentence without more', '']);
});

it('splitStory: returns a first sentence that fits into one line, for each preset', async () => {
  const folder = join(import.meta.dirname, '../../../../presets');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
  for (const file of files) {
    const story = readPreset(await readFile(join(folder, file), 'utf8')).preset?.story ?? '';
    expect(splitStory(story)[0].length, file).toBeLessThanOrEqual(80);
  }
});
