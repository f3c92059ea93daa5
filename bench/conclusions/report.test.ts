import { expect, it } from 'vitest';
import { conclusionsMarkdown } from './report.ts';

it('the report contains machine, seed, duration and requirements', () => {
  const markdown = conclusionsMarkdown({
    startedAt: '2026-01-01T00:00:00.000Z',
    machine: { processor: 'Some CPU', cores: 2, memoryBytes: 8e9, system: 'linux 6', node: 'v24' },
    cores: { target: 0, generator: 1 },
    seed: 77,
    othersShares: [0.3],
    results: [
      {
        kind: 'hidden',
        sections: [{ title: 'Hidden servers', caption: 'What was done.', head: ['hidden', 'found'], rows: [['17 workers', '17']] }],
        requirements: [{ what: 'types found', value: 9, unit: '', limit: { kind: 'atLeast', value: 10 }, aim: null }],
        failed: ['looks at hidden servers: 2 of 10 could not be made: It ended.'],
        data: null,
        tookSeconds: 90,
      },
    ],
  });
  expect(markdown).toContain(
    'Some CPU, 2 cores, 8.0 GB, linux 6, Node.js v24; target on core 0, app on core 1; seed 77; hidden took 1.5 min.',
  );
  expect(markdown).toContain('other programs used at most 30 % of the CPU: the machine was busy');
  expect(markdown).toContain('## Hidden servers\n\nWhat was done.\n\n| hidden | found |');
  expect(markdown).toContain('## Could not be asked\n\n- looks at hidden servers: 2 of 10');
  expect(markdown).toContain('| types found | 9 | ≥ 10 | – | missed |');
});
