import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** A journey with a login at the practice contest, by the password that is given. */
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
objectives: [{ kind: errors, maxShare: 0.01 }]
`;
}

test.describe('a journey that is tried once', () => {
  test('shows every request with its answer, and what was taken out of it', async ({ app, contest }) => {
    const { page } = app;
    await new WizardPage(page).openAddress(loginPlan(contest.urls[0] ?? '', 'anchor-11'));
    const card = page.getByRole('region', { name: 'Try the journey once' });
    await card.getByRole('button', { name: 'Try the journey once' }).click();
    await expect(card.getByText('The journey went well to its end.')).toBeVisible();
    await expect(card.getByRole('listitem')).toHaveCount(4);
    await card.getByRole('button', { name: /login › redirects/ }).click();
    await expect(card.getByText('{{task}}')).toBeVisible();
    await expect(card.getByText('anchor-11')).toHaveCount(0);
    await look(page, 'try-once');
  });

  test('tells a wrong password, and a run with it breaks and keeps the failures to look at', async ({ app, contest }) => {
    const { page } = app;
    const wizard = new WizardPage(page);
    await wizard.openAddress(loginPlan(contest.urls[0] ?? '', 'not-it'));
    const card = page.getByRole('region', { name: 'Try the journey once' });
    await card.getByRole('button', { name: 'Try the journey once' }).click();
    await expect(card.getByText('The journey did not go well. Not reached: “description”.')).toBeVisible();
    await card.getByRole('button', { name: /sends on to a login page/ }).click();
    await expect(card.getByText(/Check the name and the password/)).toBeVisible();
    await wizard.next('Ready to start?');
    await wizard.start();
    const run = new RunPage(page);
    await expect(await run.verdict(30_000)).toContainText('Breaks');
    await run.unfold('Failures to look at');
    await page
      .getByRole('button', { name: /sends on to a login page/ })
      .first()
      .click();
    await look(page, 'kept-failures', ['light']);
  });
});
