import { expect, it } from 'vitest';
import { bucketOf, BUCKET_COUNT, highestUsOf, lowestUsOf, middleUsOf, BUCKET_SHAPE } from './buckets.ts';

it('buckets: limits and widths equal those of the HdrHistogram library', () => {
  const buckets = Array.from({ length: BUCKET_COUNT }, (_, bucket) => bucket);
  const [lowest, highest, middle] = [lowestUsOf, highestUsOf, middleUsOf].map((of) => buckets.map(of));
  const ofLibrary = buckets.map((bucket) => BUCKET_SHAPE.valueFromIndex(bucket));
  expect(lowest).toEqual(ofLibrary);
  expect(highest).toEqual(ofLibrary.map((valueUs) => BUCKET_SHAPE.highestEquivalentValue(valueUs)));
  expect(middle).toEqual(ofLibrary.map((valueUs) => BUCKET_SHAPE.medianEquivalentValue(valueUs)));
});

it('bucketOf: finds the bucket of any time in it, including fractions', () => {
  for (const bucket of [0, 1, 2_047, 2_048, 2_049, 3_071, 3_072, 11_263, 23_219])
    for (const timeUs of [lowestUsOf(bucket), middleUsOf(bucket), highestUsOf(bucket), highestUsOf(bucket) + 0.9])
      expect(bucketOf(timeUs), String(timeUs)).toBe(bucket);
});
