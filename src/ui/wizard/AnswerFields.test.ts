import { expect, it } from 'vitest';
import { questionSchema } from '#core/presets/schema.ts';
import { withoutPracticeHelp } from './AnswerFields.tsx';

it.each([
  ['Longer runs find leaks. A practice server gets a fifth.', 'Longer runs find leaks.'],
  ['A tenth is tested first. If there are more than 40, a practice server gets a 25th.', 'A tenth is tested first.'],
  ['A practice server has a tenth of the threads.', 'A practice server has a tenth of the threads.'],
])('withoutPracticeHelp: removes the sentences with a different value for practice servers: %s', (help, shownText) => {
  const question = questionSchema.parse({ id: 'seconds', kind: 'number', label: 'How long?', help, default: 1, min: 1, max: 9 });
  expect(withoutPracticeHelp(question).help).toBe(shownText);
});
