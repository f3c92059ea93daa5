import { expect, it } from 'vitest';
import { measureSubject } from './measure.ts';
import { SUBJECTS } from './subjects.ts';

it('the load model and a browser send the same requests for a page with every HTML feature', { timeout: 120_000 }, async () => {
  const [reference] = SUBJECTS;
  if (reference === undefined) throw new Error('There is no reference page.');
  const [direct] = await measureSubject({ ...reference, http2: false }, 1, new AbortController().signal);
  expect(direct?.comparison.onlyBrowser).toEqual([]);
  expect(direct?.comparison.onlyModel).toEqual(['/far.png', '/further.png'].map((path) => ({ path, why: 'lazy' })));
});
