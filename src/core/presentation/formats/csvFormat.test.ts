import { expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { formatStepsCsv } from './csvFormat.ts';

it('has a line for each stage and each of its steps; what is not known is empty, what never came is never', () => {
  const sample = sampleResult();
  const lines = formatStepsCsv(sample)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const [head = [], ...rows] = lines;
  expect(rows.map(([stage, counted, step]) => [stage, counted, step])).toEqual([
    ['warm-up', 'no', ''],
    ['warm-up', 'no', 'description'],
    ['full load', 'yes', ''],
    ['full load', 'yes', 'description'],
  ]);
  for (const row of rows) expect(row).toHaveLength(head.length);
  const at = (name: string): string | undefined => rows[0]?.[head.indexOf(name)];
  expect([at('sent'), at('httpError'), at('response_p95_ms'), at('error_adjusted_max_ms'), at('budget_ms')]).toEqual([
    '60012',
    '8',
    '74',
    'never',
    '',
  ]);
});
