import { expect, it } from 'vitest';
import { SUBJECTS } from '../subjects/registry.ts';
import { markdownReport, publishedReport, type BenchReport } from './report.ts';

const report: BenchReport = {
  startedAt: '2026-01-01T00:00:00.000Z',
  machine: { processor: 'Some CPU', cores: 2, memoryBytes: 8e9, system: 'linux 6', node: 'v24' },
  cores: { target: 0, generator: 1 },
  rounds: 3,
  othersShares: [0.01, 0.02],
  missing: [{ id: 'oha', install: 'cargo install oha --locked' }],
  parts: [
    {
      part: 'speed',
      sections: [{ title: 'Speed', caption: 'What was done.', head: ['generator', 'requests/s'], rows: [['wrk', '1000']] }],
      requirements: [{ what: 'ours ÷ theirs', value: null, unit: '', limit: { kind: 'atLeast', value: 1 }, aim: null }],
      data: null,
    },
  ],
};

it('the report contains machine, method, results, requirements and missing tools', () => {
  const markdown = markdownReport(report);
  expect(markdown).toContain('target on core 0, generator on core 1; 3 rounds');
  expect(markdown).toContain('## Speed\n\nWhat was done.\n\n| generator | requests/s |\n| --- | ---: |\n| wrk | 1000 |');
  expect(markdown).toContain('| ours ÷ theirs | – | ≥ 1 | – | unknown |');
  expect(markdown).toContain('- oha is not installed: `cargo install oha --locked`');
  expect(markdown).toContain('other programs used at most 2 % of the CPU.');
});

it('the report for publication contains the command and all versions, but no path of the machine', () => {
  const found = SUBJECTS.filter(({ id }) => id === 'wrk').map((subject) => ({
    subject,
    version: '4.1.0',
    located: { program: '/opt/somewhere/wrk', before: [] },
  }));
  const page = publishedReport(report, found, ['speed', '--publish']);
  expect(page).toContain('`npm run bench -- speed --publish`');
  expect(page).toContain('Some CPU, 2 cores');
  expect(page).toContain('- wrk 4.1.0');
  expect(page).not.toContain('/opt/somewhere');
});

it('the report warns about a machine that was busy or whose load is unknown, and says if nothing was pinned', () => {
  expect(markdownReport({ ...report, othersShares: [0.01, 0.4] })).toContain('at most 40 % of the CPU: the machine was busy');
  expect(markdownReport({ ...report, othersShares: [] })).toContain('is unknown');
  expect(markdownReport({ ...report, cores: { target: null, generator: null } })).toContain('nothing is pinned to a core');
});
