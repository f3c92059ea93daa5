import { expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { samplePoint } from '#core/testing/points.ts';
import { formatCsv, formatStepsCsv } from './csvFormat.ts';

it('formatStepsCsv: writes a line for each stage and step, where unknown values are empty and unreached percentiles are “never”', () => {
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

it('formatCsv: adds columns of TLS handshakes if any session was resumed', () => {
  const columns = (...handshakes: readonly { full: number; resumed: number }[]): string[] =>
    formatCsv({ windows: handshakes.map((each, second) => samplePoint(second, { handshakes: each })) })
      .trim()
      .split('\r\n')
      .map((line) => line.split(',').slice(-2).join(' '));
  expect(columns({ full: 5, resumed: 0 }, { full: 1, resumed: 4 })).toEqual(['tls_full tls_resumed', '5 0', '1 4']);
  expect(columns({ full: 5, resumed: 0 })[0]).not.toContain('tls');
});
