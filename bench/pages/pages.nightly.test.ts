import { expect, it } from 'vitest';
import { measureSubject } from './measure.ts';
import { SUBJECTS } from './subjects.ts';

const practice = SUBJECTS.filter(({ id }) => ['school', 'contest'].includes(id));

it.each(practice)(
  'pages of $id: the load model and a browser send the same requests, except those of scripts',
  { timeout: 300_000 },
  async (subject) => {
    for (const { title, comparison } of await measureSubject(subject, 3, new AbortController().signal)) {
      const unlike = comparison.onlyBrowser.filter(({ why }) => why === 'style' || why === 'unknown');
      expect({ title, onlyModel: comparison.onlyModel, unlike, order: comparison.order }).toEqual({
        title,
        onlyModel: [],
        unlike: [],
        order: 1,
      });
    }
  },
);
