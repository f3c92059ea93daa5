import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { startHoldfast } from '../processes.ts';

const CARD = 'Accounts and data';
const HEADINGS = 'username,password,first_name,last_name';
const row = (name: string): string => `${name},Harbour-${name},Ada,Newcomer`;

/** Returns a plan that registers the accounts in the file `accounts`, and then lets four of them log in at the same time. */
const getPlan = (url: string, accounts: string): string =>
  stringify({
    holdfast: 1,
    name: 'Newcomers log in',
    targets: [{ url }],
    feeds: { accounts: { file: accounts, order: 'unique' } },
    journey: [
      { name: 'home', path: '/' },
      {
        name: 'login',
        method: 'POST',
        path: '/login',
        form: { username: '{{accounts.username}}', password: '{{accounts.password}}', _xsrf: '{{cookie._xsrf}}' },
        redirects: { follow: true },
      },
    ],
    load: { model: 'users', stages: [{ users: 4, seconds: 2 }] },
    leavesBehind: ['One account for each row of the list.'],
    populate: {
      feed: 'accounts',
      perSecond: 50,
      journey: [
        { name: 'form', path: '/register' },
        {
          name: 'register',
          method: 'POST',
          path: '/register',
          form: {
            username: '{{accounts.username}}',
            password: '{{accounts.password}}',
            first_name: '{{accounts.first_name}}',
            last_name: '{{accounts.last_name}}',
            _xsrf: '{{cookie._xsrf}}',
          },
        },
      ],
      // The practice contest has no page that removes users, but it responds at this path.
      remove: [{ name: 'gone', path: '/' }],
    },
  });

test('missing accounts are created from the check page, and can be removed again', async ({ app, home }) => {
  test.setTimeout(600_000);
  const lab = await startHoldfast(['lab', 'contest', '--registration', 'on', '--shards', '1', '--service-ms', '1'], home);
  try {
    const { page } = app;
    const wizard = new WizardPage(page);
    const accounts = join(home, 'newcomers.csv');
    const names = ['ada', 'ben', 'contestant1', 'dot'];
    const writeList = (list: readonly string[]) => writeFile(accounts, [HEADINGS, ...list.map(row), ''].join('\n'));
    await writeList(names.slice(0, 3));
    await wizard.open();
    await page.getByRole('textbox', { name: 'Enter a URL or paste a command' }).fill(getPlan(lab.urls[0] ?? '', accounts));
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(wizard.heading('How much load?')).toBeVisible();
    await page.getByRole('checkbox', { name: 'I have read this and agree to it.' }).press('Space');
    await wizard.next('Ready to start?');

    const card = page.getByRole('region', { name: CARD });
    await expect(card.getByText(/needs 4 rows, one for each user, and .* has 3\./)).toBeVisible();
    await look(page, 'populate-1-short', ['light', 'narrow']);
    await writeList(names);
    await wizard.back('How much load?');
    await wizard.next('Ready to start?');
    await expect(card.getByText(/: 0 of 4 rows/)).toBeVisible();
    await card.getByRole('button', { name: 'Create 4 on the server' }).click();
    await expect(card.getByText('Row 3 (contestant1): register: status 409')).toBeVisible();
    await expect(card.getByText(/: 3 of 4 rows/)).toBeVisible();
    await look(page, 'populate-2-failed', ['dark', 'narrow']);

    await writeList(names.with(2, 'cleo'));
    await card.getByRole('button', { name: 'Create 1 on the server' }).click();
    await expect(card.getByText(/: 4 of 4 rows/)).toBeVisible();
    await look(page, 'populate-3-made', ['light']);
    const notes = await readFile(`${accounts}.made.jsonl`, 'utf8');
    for (const name of names) expect(notes).not.toContain(`Harbour-${name}`);

    await card.getByRole('button', { name: 'Remove the 4 created from here' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove all 4 created rows?' });
    await look(page, 'populate-4-asked', ['dark', 'narrow']);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(card.getByText(/: 4 of 4 rows/)).toBeVisible();
    await card.getByRole('button', { name: 'Remove the 4 created from here' }).click();
    await question.getByRole('button', { name: 'Remove the rows' }).click();
    await expect(card.getByText(/: 0 of 4 rows/)).toBeVisible();
  } finally {
    await lab.stop();
  }
});
