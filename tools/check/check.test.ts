import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../testing/processes.ts';
import { whatIsLacking, whatIsNotTried } from './machine.ts';
import { playwrightCounts, vitestCounts } from './report.ts';
import { runSteps, suiteStep, toolStep } from './step.ts';
import { summarize } from './summary.ts';

const counts = (passed: number, failed = 0, skipped = 0) => ({ passed, failed, skipped });

describe('the last words of npm test', () => {
  it('end with the plain line of counts', () => {
    const results = [
      { name: 'types', seconds: 1, counts: counts(0) },
      { name: 'tests', seconds: 60, counts: counts(900, 2) },
      { name: 'e2e', seconds: 60, counts: counts(30) },
    ];
    const { text, passed } = summarize(results, false);
    expect(text.endsWith('\n930 passed, 2 failed\n')).toBe(true);
    expect(passed).toBe(false);
  });

  it('count a check that failed without a test as a failure', () => {
    const { text, passed } = summarize([{ name: 'lint', seconds: 1, counts: counts(0), problem: 'lint found problems' }], false);
    expect(text).toContain('\n0 passed, 1 failed\n');
    expect(passed).toBe(false);
  });

  it('name what is missing, and fail for it where everything has to run', () => {
    const results = [{ name: 'e2e', seconds: 1, counts: counts(0), missing: ['no Chromium'] }];
    expect(summarize(results, false)).toMatchObject({ passed: true, text: expect.stringContaining('- no Chromium') });
    expect(summarize(results, true)).toMatchObject({ passed: false, text: expect.stringContaining('0 passed, 1 failed') });
  });
});

it('what the machine lacks is named with the command that installs it', async () => {
  const folder = await emptyFolder();
  expect(whatIsLacking({ PATH: folder })).toMatch(
    /lacks nginx and openssl and pdfinfo.*apt-get install --yes nginx openssl poppler-utils$/,
  );
  for (const program of ['openssl', 'pdfinfo']) await writeFile(join(folder, program), '');
  expect(whatIsLacking({ PATH: `/nonexistent:${folder}` })).toMatch(/lacks nginx,.*apt-get install --yes nginx$/);
  await writeFile(join(folder, 'nginx'), '');
  expect(whatIsLacking({ PATH: folder })).toBeNull();
  expect(whatIsNotTried({ PATH: folder })).toMatch(
    /need python3 and psql and sshd and haproxy and redis-server and varnishd are.*python3-venv postgresql openssh-server haproxy/,
  );
});

describe('the reports', () => {
  it('of Vitest: a file that does not load is a failure', async () => {
    const file = join(await emptyFolder(), 'report.json');
    const report = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, success: true };
    await writeFile(file, JSON.stringify(report));
    expect(vitestCounts(file)).toEqual(counts(5, 0, 2));
    await writeFile(file, JSON.stringify({ ...report, success: false }));
    expect(vitestCounts(file)).toEqual(counts(5, 1, 2));
  });

  it('of Playwright: a test that passed only the second time has failed', async () => {
    const file = join(await emptyFolder(), 'report.json');
    await writeFile(file, JSON.stringify({ stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{}] }));
    expect(playwrightCounts(file)).toEqual(counts(3, 3, 2));
  });
});

describe('the steps', () => {
  it('all run, also after one that fails or throws', async () => {
    const ran: string[] = [];
    const results = await runSteps([
      { name: 'one', act: () => Promise.reject(new Error('broken')) },
      { name: 'two', act: () => Promise.resolve(void ran.push('two')).then(() => ({ counts: counts(1) })) },
    ]);
    expect(ran).toEqual(['two']);
    expect(results).toMatchObject([
      { name: 'one', problem: 'broken' },
      { name: 'two', counts: counts(1) },
    ]);
  });

  it('a tool that ends with an error is a problem', async () => {
    const folder = await emptyFolder();
    await emptyTool(folder, 'process.exit(Number(process.argv[2]));');
    expect(await toolStep('tool', folder, 'tool.js', ['0']).act()).toEqual({ counts: counts(0) });
    expect(await toolStep('tool', folder, 'tool.js', ['2']).act()).toMatchObject({ problem: 'tool found problems' });
  });

  it('a suite that dies before its report is a failure, even beside an older report', async () => {
    const folder = await emptyFolder();
    const report = join(folder, 'report.json');
    await writeFile(report, '5');
    const read = (): ReturnType<typeof counts> => counts(5);
    await emptyTool(folder, 'process.exit(1);');
    const step = suiteStep({
      name: 'suite',
      root: folder,
      file: 'node_modules/tool.js',
      args: [],
      report,
      read: (file) => JSON.parse(file) as never,
    });
    expect(await step.act()).toMatchObject({ problem: expect.stringContaining('left no report') });
    await emptyTool(folder, `require('fs').writeFileSync(${JSON.stringify(report)}, '5'); process.exit(1);`);
    expect(await suiteStep({ name: 'suite', root: folder, file: 'node_modules/tool.js', args: [], report, read }).act()).toMatchObject({
      problem: expect.stringContaining('status 1'),
    });
  });
});

async function emptyTool(folder: string, code: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await writeFile(join(folder, 'node_modules', 'tool.js'), code);
}
