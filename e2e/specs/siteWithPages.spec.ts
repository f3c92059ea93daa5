import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { askAboutSite, schoolSiteLacks, startSchoolSite, type SchoolSite } from '../schoolSite.ts';

const lackReason = await schoolSiteLacks();
const FROM_CACHE = '"cache":"HIT"';

test.describe('the school site', () => {
  test.skip(lackReason !== null, lackReason ?? '');
  let site: SchoolSite;
  test.beforeAll(async ({ home }) => {
    site = await startSchoolSite(home);
  });
  test.afterAll(() => site.stop());

  test('is crawled for its pages, and read page by page with all resources', async ({ app }) => {
    test.setTimeout(600_000);
    const { page } = app;
    const { wizard, run } = await askAboutSite(app, site, /^reading pages$/);
    await page.getByRole('textbox', { name: 'Where is the file of accounts?' }).fill(site.accounts);

    await page.getByRole('button', { name: 'Find pages on the site' }).click();
    await page.getByRole('button', { name: 'Crawl the site' }).click();
    const use = page.getByRole('button', { name: /^Use (this page|these \d+ pages)$/ });
    await expect(use).toBeVisible({ timeout: 180_000 });
    await look(page, 'site-1-crawl');
    await page.getByRole('button', { name: 'Cancel' }).click();

    await wizard.enterNumber(/How many readers at the same time/, '175');
    await wizard.enterNumber(/For how many seconds/, '30');
    await expect(page.getByRole('button', { name: 'Stage by stage 5 stages' })).toBeVisible();
    // The test uses the last two of the five numbers of readers, because the smaller ones lead to the same behaviour.
    await wizard.choose(/^the larger ones/);
    await wizard.enterNumber(/How long does a user stay/, '0.3');
    await wizard.openPart('Stage by stage');
    await expect(page.getByText(/7 users repeat the journey/).first()).toBeVisible();
    await look(page, 'site-2-load');
    await wizard.openPart('Protocol and cache detection');
    await expect(page.getByRole('checkbox', { name: 'Count the responses from a cache' })).toBeChecked();
    await wizard.next('Ready to start?');
    await wizard.endOfTrial();
    const before = await site.logged('nginx');
    const fromCacheBefore = await site.logged('nginx', FROM_CACHE);
    await expect(wizard.startButton).toBeEnabled();
    await wizard.start();
    await run.verdict(150_000);
    await run.expectVerdictFirst();
    await run.unfold('Whole pages');
    await expect(page.getByText(/^18 pages, 59 style sheets and scripts, 99 images; /)).toBeVisible();
    await run.unfold(/^Cache/);
    await expect(page.getByText(/responses came from a cache/).first()).toBeVisible();
    await look(page, 'site-3-result');
    await run.expectReadable();

    const { pages, outcomes, balances, stages, cache } = await run.result();
    expect(pages?.content).toEqual({ pages: 18, resources: { css: 18, script: 41, image: 99, icon: 0, font: 0 } });
    expect(pages?.steps).toHaveLength(18);
    expect(pages?.all).toMatchObject({ incomplete: 0 });
    expect(pages?.all.pageApdex.value).toBeGreaterThan(0.8);
    expect(stages.map(({ level }) => level.highest)).toEqual([5, 7]);
    expect(balances).toBe(true);
    // The server's own log and the request outcomes must contain exactly the same number of requests.
    await expect.poll(async () => (await site.logged('nginx')) - before, { timeout: 60_000 }).toBe(outcomes.requests.sent);
    expect(cache?.all.fromCache).toBe((await site.logged('nginx', FROM_CACHE)) - fromCacheBefore);
    expect(cache?.all.fromCache).toBeGreaterThan(0);
  });

  test('is tested with phones in two batches and, behind a cache, as a table of users × requests', async ({ app }) => {
    const { page } = app;
    const phones = await askAboutSite(app, site, /^reading pages on phones/);
    await phones.wizard.choose(/^the larger ones/);
    await page.getByRole('textbox', { name: 'Where is the file of accounts?' }).fill(site.accounts);
    await expect(page.getByRole('button', { name: 'Stage by stage 2 stages' })).toBeVisible();
    await phones.wizard.next('Ready to start?');
    await phones.wizard.openPart('The plan in words');
    await phones.wizard.openPart('Stage by stage');
    // The smaller numbers of readers were tested in the first batch.
    await expect(page.getByText(/^“three quarters”: .*30 users repeat the journey/)).toBeVisible();
    await expect(page.getByText(/^“half”:/)).toHaveCount(0);
    await expect(phones.wizard.startButton).toBeEnabled();

    const cache = await askAboutSite(app, site, /^the cache/);
    await expect(page.getByRole('textbox', { name: 'Which address is requested?' })).toHaveValue('/++resource++page-1-1.css');
    await cache.wizard.next('Ready to start?');
    await expect(page.getByText('The plan is run 9 times', { exact: false })).toBeVisible();
    await expect(cache.wizard.startButton).toBeEnabled();
  });
});
