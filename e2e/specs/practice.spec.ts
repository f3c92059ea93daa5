import { z } from 'zod';
import { expect, test } from '../fixtures.ts';
import { askAboutSite, schoolSiteLacks, startSchoolSite, type SchoolSite } from '../schoolSite.ts';

const lackReason = await schoolSiteLacks();
const controlSchema = z.looseObject({ addresses: z.array(z.looseObject({ label: z.string(), url: z.string() })) });

test.describe('the school site', () => {
  test.skip(lackReason !== null, lackReason ?? '');
  let site: SchoolSite;
  test.beforeAll(async ({ home }) => {
    site = await startSchoolSite(home);
  });
  test.afterAll(() => site.stop());

  test(
    'is tested with correct solutions from the oracle, whose requests are not measured',
    { tag: ['@preset', '@site-with-pages', '@quick'] },
    async ({ app }) => {
      test.setTimeout(600_000);
      const { page } = app;
      const described = controlSchema.parse(await (await fetch(site.control)).json());
      const oracle = new URL(described.addresses.find(({ label }) => label === 'Oracle')?.url ?? '').host;
      const { wizard, run } = await askAboutSite(app, site, /^practicing with questions/);
      await page.getByRole('textbox', { name: 'Where is the file of accounts?' }).fill(site.accounts);
      await page.getByRole('textbox', { name: 'Where is the oracle?' }).fill(oracle);
      await wizard.enterNumber(/For how many seconds/, '30');
      await wizard.enterNumber(/How long does a user stay/, '0.2');
      await wizard.enterNumber(/How many questions/, '3');
      await wizard.next('Ready to start?');
      await wizard.endOfTrial();
      const before = { nginx: await site.logged('nginx'), oracle: await site.logged('oracle') };
      await expect(wizard.startButton).toBeEnabled();
      await wizard.start();
      await run.verdict(120_000);
      const { requestsByStep, outcomes, steps, balances } = await run.result();
      expect(balances).toBe(true);
      expect(steps.map(({ name }) => name)).not.toContain('oracle');
      expect(requestsByStep['answer']?.ok).toBeGreaterThan(30);
      expect(requestsByStep['answer']?.ok).toBe(requestsByStep['answer']?.sent);
      await expect.poll(async () => (await site.logged('nginx')) - before.nginx, { timeout: 60_000 }).toBe(outcomes.requests.sent);
      expect((await site.logged('oracle')) - before.oracle).toBeGreaterThanOrEqual(requestsByStep['answer']?.sent ?? NaN);
    },
  );
});
