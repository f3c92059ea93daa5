import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** Returns a plan whose journey logs in at the practice contest with this password. */
function loginPlan(url: string, password: string): string {
  return `holdfast: 1
name: Log in and read
targets: [{ url: '${url}' }]
journey:
  - { name: home, path: / }
  - name: login
    method: POST
    path: /login
    form: { username: contestant1, password: '${password}', _xsrf: '{{cookie._xsrf}}' }
    redirects: { follow: true }
    captures: [{ from: body, as: task, pattern: 'href="/tasks/(\\w+)/description"' }]
  - { name: description, path: '/tasks/{{task}}/description' }
load: { model: connections, stages: [{ connections: 2, requests: 12 }] }
criteria: [{ kind: errors, maxShare: 0.01 }]
`;
}

test.describe('the trial by one user', () => {
  test('shows every request with its response, and the values that were captured from it', async ({ app, contest }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.openPlan(loginPlan(contest.urls[0] ?? '', 'anchor-11'));
    await wizard.next('Ready to start?');
    const card = page.getByRole('region', { name: 'Trial by one user' });
    await wizard.endOfTrial();
    await wizard.openChecks();
    await card.getByRole('button', { name: 'Requests and responses' }).click();
    await expect(card.getByRole('listitem')).toHaveCount(4);
    await card.getByRole('button', { name: /login › redirects/ }).click();
    await expect(card.getByText('{{task}}')).toBeVisible();
    await expect(card.getByText('anchor-11')).toHaveCount(0);
    await look(page, 'try-once');
  });

  test('reports a wrong password, and a run with that password fails and keeps the failures as samples', async ({ app, contest }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.openPlan(loginPlan(contest.urls[0] ?? '', 'not-it'));
    await wizard.next('Ready to start?');
    const card = page.getByRole('region', { name: 'Trial by one user' });
    await expect(page.getByText('One user could not run every step as expected.', { exact: false })).toBeVisible();
    await expect(card.getByText('Not reached: “description”.')).toBeVisible();
    await expect(page.getByText('The trial failed. See above what to correct.')).toBeVisible();
    // Problems must be shown first.
    await expect(page.getByRole('main').getByRole('region').first()).toHaveAccessibleName('Trial by one user');
    await card.getByRole('button', { name: /sends on to a login page/ }).click();
    await expect(card.getByText(/Check the name and the password/)).toBeVisible();
    await wizard.start();
    const run = new RunPage(page);
    await expect(await run.verdict(30_000)).toContainText('Failed');
    await run.unfold('Failure samples');
    await page
      .getByRole('button', { name: /sends on to a login page/ })
      .first()
      .click();
    await look(page, 'kept-failures', ['light']);
  });
});
