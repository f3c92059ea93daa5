import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEchoServer } from '../echoServer.ts';
import { expect, test } from '../fixtures.ts';
import { leaksBelow, leaksIn } from '../leaks.ts';
import { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { runHoldfast, startHoldfast } from '../processes.ts';
import { listRuns } from '../results.ts';

const secrets = {
  password: 'pässwörd-4711-xyzzy',
  sessionCookie: 'sEsSiOn0123456789abcdefPLUGH',
  header: 'kEy-98765-qwertyPLOVER',
  cookieFlag: 'cOoKiE-13579-frotzFLAG',
  headerFlag: 'bEaReR-24680-gnustoFLAG',
};

test('secrets that a server repeats appear in no file, export, output or browser storage', async ({ page }) => {
  test.setTimeout(600_000);
  const home = await mkdtemp(join(tmpdir(), 'holdfast-secrets-'));
  const outside = await mkdtemp(join(tmpdir(), 'holdfast-exports-'));
  const target = await startEchoServer(secrets.password, secrets.sessionCookie);
  const holdfast = await startHoldfast(['serve', '--port', '0'], home);
  try {
    await new AppPage(page).open(holdfast.urls[0] ?? '');
    const wizard = new WizardPage(page);
    const run = new RunPage(page);
    await wizard.open();
    await wizard.choose('How fast is one page?');
    await wizard.next('Which server?');
    await wizard.address.fill(target.url);
    await page.getByRole('button', { name: /^Log in/ }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('contestant1');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(secrets.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).last().click();
    await expect(page.getByText(/^Logged in, 1 cookie kept in memory/)).toBeVisible();

    await page.getByRole('button', { name: /^Headers/ }).click();
    await page.getByRole('button', { name: 'Add a header' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('X-Key');
    const value = page.getByRole('textbox', { name: 'Value' });
    await value.fill(secrets.header);
    await value.press('Enter');
    await expect(page.getByText('Kept in memory until Holdfast closes', { exact: true })).toBeVisible();

    await wizard.next('How much load?');
    await wizard.enterNumber(/How many connections/, '2');
    await wizard.enterNumber(/For how many seconds/, '4');
    await wizard.next('Ready to start?');
    await wizard.start();
    await run.waitForLive();
    expect(await leaksBelow(home, secrets), 'while the run goes').toEqual([]);
    await run.verdict(30_000);

    for (const format of ['Full result as JSON', 'Seconds as CSV', 'ApacheBench output', 'Plain text']) {
      const { fileName, path } = await run.save(format);
      const content = await readFile(path);
      expect(content.length, fileName).toBeGreaterThan(100);
      expect(leaksIn(content, secrets), fileName).toEqual([]);
    }
    const web = await run.report('Web page (one HTML file)');
    expect(leaksIn(await readFile(web.path), secrets), web.fileName).toEqual([]);
    const paper = await run.report('PDF on A4');
    expect(paper.fileName).toMatch(/\.pdf$/);
    expect((await readFile(paper.path)).subarray(0, 5).toString(), paper.fileName).toBe('%PDF-');
    const stored = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(stored).toContain(target.url);
    expect(leaksIn(stored, secrets), 'storage of the browser').toEqual([]);

    await expectNoLeakOnCommandLine(target.url, home, outside);
    expect(await leaksBelow(home, secrets), 'while the app goes').toEqual([]);
    const runs = await listRuns(home);
    expect(runs).toHaveLength(3);
    // JSON contains everything, and the other formats were saved above. Every secret of a plan is checked in all formats by
    // canaries.test.ts.
    for (const form of [['--json'], ['--format', 'text']]) {
      const shown = await runHoldfast(['show', runs[0]?.id ?? '', ...form], home).ended;
      expect(shown.code, shown.output).toBe(0);
      expect(leaksIn(shown.output, secrets), `show ${form.join(' ')}`).toEqual([]);
    }
  } finally {
    await page.close();
    await holdfast.stop();
    await target.close();
  }
  expect(await leaksBelow(home, secrets), 'after the app').toEqual([]);
  await rm(home, { recursive: true });
  await rm(outside, { recursive: true });
});

async function expectNoLeakOnCommandLine(url: string, home: string, outside: string): Promise<void> {
  const headerFile = join(outside, 'header');
  await writeFile(headerFile, `Authorization: Bearer ${secrets.headerFlag}\n`);
  const quick = ['quick', url, '-n', '30', '-c', '1', '--json', join(outside, 'quick.json')];
  const access = ['-C', `session=${secrets.cookieFlag}`, '-H', `X-Key: ${secrets.header}`, '-H', `@${headerFile}`];
  const { code, output } = await runHoldfast([...quick, ...access], home).ended;
  expect(code, output).toBe(0);
  expect(leaksIn(output, secrets), 'output').toEqual([]);
  expect(leaksIn(await readFile(join(outside, 'quick.json')), secrets), '--json').toEqual([]);
  const fromEnvironment = await runHoldfast([...quick, '-C', 'env:PLANTED'], home, { PLANTED: `session=${secrets.cookieFlag}` }).ended;
  expect(fromEnvironment.code, fromEnvironment.output).toBe(0);
  expect(leaksIn(fromEnvironment.output, secrets), 'output').toEqual([]);
  expect(leaksIn(await readFile(join(outside, 'quick.json')), secrets), '--json').toEqual([]);
}
