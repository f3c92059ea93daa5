import { expect, it } from 'vitest';
import { STORED_EVENT } from '#core/result/readings.ts';
import { diagnose } from '../diagnose.ts';
import { facts, healthyStep } from '../testing/facts.ts';

const findWorkLeft = (before: number, atEnd: number, after: number) => {
  const data = { name: 'photos', step: 'upload', before, after, stands: true, unfinished: { atEnd, seconds: 60 } };
  const given = facts(healthyStep());
  return diagnose({ ...given, events: [{ second: 9, kind: STORED_EVENT, text: '', data }] }).filter(({ id }) => id === 'workLeft.photos');
};

it('workLeft: reports unfinished work after a load, if there is more than before', () => {
  expect(findWorkLeft(3, 40, 25)).toMatchObject([
    {
      level: 'warning',
      sentence: 'The server still works on what “upload” gave it to do: “photos” is 22 more than before the load, 60 s after it.',
    },
  ]);
  expect(findWorkLeft(3, 40, 3)).toMatchObject([{ level: 'info' }]);
  expect(findWorkLeft(3, 3, 3)).toEqual([]);
});
