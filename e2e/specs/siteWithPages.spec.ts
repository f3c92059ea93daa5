import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { schoolSiteLab } from '#lab/school-site/lab.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import type { AppPage } from '../pages/AppPage.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { startHoldfast, type Going } from '../processes.ts';

const missing = await schoolSiteLab.missing(process.env);
const lacking = await whyNot(missing.map((one) => ({ ...one, needed: true })));
const QUESTION = 'How many readers can our content site handle?';
const controlSchema = z.looseObject({ addresses: z.array(z.looseObject({ label: z.string(), url: z.string() })) });

test.describe('the school site', () => {
  test.skip(lacking !== null, lacking ?? '');
  let lab: Going;
  let accounts: string;
  test.beforeAll(async ({ home }) => {
    lab = await startHoldfast(['lab', 'school-site', '--cache', 'shared', '--service-ms', '40'], home);
    accounts = join(home, 'accounts.csv');
    await writeFile(accounts, await (await fetch(new URL('accounts.csv', control()))).text());
  });
  test.afterAll(() => lab.stop());

  const control = (): string => lab.urls.at(-1)?.replace(/(?:gauges\)?|\))$/, '') ?? '';
  /** Lines of the log of a server; with a word, those that say it. */
  const logged = async (server: string, word = ''): Promise<number> => {
    const log = await (await fetch(new URL(`logs/${server}`, control()))).text();
    return log.split('\n').filter((line) => line !== '' && line.includes(word)).length;
  };
  const FROM_CACHE = '"cache":"HIT"';

  /** From the question to “How much load?”. */
  async function prepare(app: AppPage, choice: RegExp): Promise<{ wizard: WizardPage; run: RunPage }> {
    const wizard = new WizardPage(app.page);
    await wizard.open();
    await wizard.choose(QUESTION);
    await app.page.getByRole('radio', { name: choice }).press('Space');
    await wizard.next('Which server?');
    await wizard.address.fill(lab.urls[0] ?? '');
    await wizard.next('How much load?');
    await wizard.expectShortLoad();
    await wizard.openPart('Advanced');
    // Nobody pressed the button that starts it: the address alone is taken for a real site.
    await app.page.getByRole('radio', { name: 'a practice server' }).check({ force: true });
    return { wizard, run: new RunPage(app.page) };
  }

  async function resultOf(run: RunPage): Promise<RunResult> {
    const { path } = await run.save('Full result as JSON');
    return resultSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  }

  test('is walked over for its pages, and read page by page with all that belongs to them', async ({ app }) => {
    test.setTimeout(600_000);
    const { page } = app;
    const { wizard, run } = await prepare(app, /^reading pages$/);
    await page.getByRole('textbox', { name: 'Where is the file of accounts?' }).fill(accounts);

    await page.getByRole('button', { name: 'Find pages on the site' }).click();
    await page.getByRole('button', { name: 'Crawl the site' }).click();
    const use = page.getByRole('button', { name: /^Use (this page|these \d+ pages)$/ });
    await expect(use).toBeVisible({ timeout: 180_000 });
    await look(page, 'site-1-crawl');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await wizard.write(/How many readers at the same time/, '250');
    await wizard.write(/For how many seconds/, '30');
    await wizard.write(/How long does a user stay/, '0.3');
    await wizard.openPart('Stage by stage');
    await expect(page.getByText(/10 users walk/).first()).toBeVisible();
    await look(page, 'site-2-load');
    await wizard.openPart('Protocol and cache detection');
    await expect(page.getByRole('checkbox', { name: 'Count the responses from a cache' })).toBeChecked();
    await wizard.next('Ready to start?');
    await wizard.endOfTrial();
    const before = await logged('nginx');
    const fromCacheBefore = await logged('nginx', FROM_CACHE);
    await expect(wizard.startButton).toBeEnabled();
    await wizard.start();
    await run.verdict(150_000);
    await run.expectAnswerFirst();
    await run.unfold('Whole pages');
    await expect(page.getByText(/^18 pages, 59 style sheets and scripts, 99 images; /)).toBeVisible();
    await run.unfold(/^Cache/);
    await expect(page.getByText(/responses came from a cache/).first()).toBeVisible();
    await look(page, 'site-3-result');
    await run.unfoldAll();

    const { pages, ledger, balances, stages, cache } = await resultOf(run);
    expect(pages?.content).toEqual({ pages: 18, resources: { css: 18, script: 41, image: 99, icon: 0, font: 0 } });
    expect(pages?.steps).toHaveLength(18);
    expect(pages?.all).toMatchObject({ incomplete: 0 });
    expect(pages?.all.pageApdex.value).toBeGreaterThan(0.8);
    expect(stages.map(({ level }) => level.highest)).toEqual([5, 5, 5, 8, 10]);
    expect(balances).toBe(true);
    // The server's own log and the ledger tell the same number, to the request.
    await expect.poll(async () => (await logged('nginx')) - before, { timeout: 60_000 }).toBe(ledger.requests.sent);
    expect(cache?.all.fromCache).toBe((await logged('nginx', FROM_CACHE)) - fromCacheBefore);
    expect(cache?.all.fromCache).toBeGreaterThan(0);
  });

  test('is asked for from phones in two batches, and behind a cache as a table of users × requests', async ({ app }) => {
    const { page } = app;
    const phones = await prepare(app, /^reading pages on phones/);
    await phones.wizard.choose(/^the larger ones/);
    await page.getByRole('textbox', { name: 'Where is the file of accounts?' }).fill(accounts);
    await expect(page.getByRole('button', { name: 'Stage by stage 2 stages' })).toBeVisible();
    await phones.wizard.next('Ready to start?');
    await phones.wizard.openPart('Stage by stage');
    // The smaller numbers were the first batch.
    await expect(page.getByText(/^“three quarters”: .*30 users walk/)).toBeVisible();
    await expect(page.getByText(/^“half”:/)).toHaveCount(0);
    await expect(phones.wizard.startButton).toBeEnabled();

    const cache = await prepare(app, /^the cache/);
    await expect(page.getByRole('textbox', { name: 'Which address is requested?' })).toHaveValue('/++resource++page-1-1.css');
    await cache.wizard.next('Ready to start?');
    await expect(page.getByText('The plan is run 9 times', { exact: false })).toBeVisible();
    await expect(cache.wizard.startButton).toBeEnabled();
  });

  test(
    'is practiced on with correct solutions from the oracle, which is not measured',
    { tag: ['@preset', '@site-with-pages'] },
    async ({ app }) => {
      test.setTimeout(600_000);
      const { page } = app;
      const described = controlSchema.parse(await (await fetch(control())).json());
      const oracle = new URL(described.addresses.find(({ label }) => label === 'Oracle')?.url ?? '').host;
      const { wizard, run } = await prepare(app, /^practicing with questions/);
      await page.getByRole('textbox', { name: 'Where is the file of accounts?' }).fill(accounts);
      await page.getByRole('textbox', { name: 'Where is the oracle?' }).fill(oracle);
      await wizard.write(/For how many seconds/, '30');
      await wizard.write(/How long does a user stay/, '0.2');
      await wizard.write(/How many questions/, '3');
      await wizard.next('Ready to start?');
      await wizard.endOfTrial();
      const before = { nginx: await logged('nginx'), oracle: await logged('oracle') };
      await expect(wizard.startButton).toBeEnabled();
      await wizard.start();
      await run.verdict(120_000);
      const { requestsByStep, ledger, steps, balances } = await resultOf(run);
      expect(balances).toBe(true);
      expect(steps.map(({ name }) => name)).not.toContain('oracle');
      expect(requestsByStep['answer']?.ok).toBeGreaterThan(30);
      expect(requestsByStep['answer']?.ok).toBe(requestsByStep['answer']?.sent);
      await expect.poll(async () => (await logged('nginx')) - before.nginx, { timeout: 60_000 }).toBe(ledger.requests.sent);
      expect((await logged('oracle')) - before.oracle).toBeGreaterThanOrEqual(requestsByStep['answer']?.sent ?? NaN);
    },
  );
});
