import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';

test('the calculator estimates the amount of data, and shows its calculation', async ({ app }) => {
  const { page } = app;
  await page.getByRole('link', { name: 'Calculate', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Calculate' })).toBeVisible();
  // The default is the question that is asked most often: how many people a rate serves.
  await expect(page.getByRole('radio', { name: 'For how many participants is it enough?' })).toBeChecked();
  await page.getByRole('radio', { name: 'How much data will pile up?' }).press('Space');
  await expect(page.getByRole('row', { name: /^Students/ })).toHaveText(/2,400.*7,200.*12,000.*21,600/);
  await look(page, 'calculate-data-volume');

  const years = page.getByRole('textbox', { name: 'For how many years?' });
  await years.fill('2');
  await expect(page.getByText('After 2 years there are 422 GB')).toBeVisible();
  await years.fill('none');
  await expect(page.getByText('Enter a whole number from 1 to 10.').first()).toBeVisible();
  await years.fill('3');
  await page.getByRole('button', { name: /Figures to check/ }).click();
  await page.getByRole('textbox', { name: /^Teachers, as somebody stated/ }).fill('360');
  await expect(page.getByText(/counts the same people again/)).toBeVisible();
});

test('the calculator estimates database connections, and the number of people for a request rate', async ({ app }) => {
  const { page } = app;
  await page.getByRole('link', { name: 'Calculate', exact: true }).click();
  const calculator = page.getByRole('radio', { name: /connections does the database allow/ });
  await calculator.press('Space');
  await expect(calculator).toBeChecked();
  await page.getByRole('textbox', { name: 'Its actual limit' }).fill('291');
  await expect(page.getByText(/That fits MySQL/)).toBeVisible();
  await expect(page.getByRole('row', { name: /^All that the machine has/ })).toHaveText(/341.*450/);
  await look(page, 'calculate-connections');

  const people = page.getByRole('radio', { name: /For how many participants is it enough/ });
  await people.press('Space');
  await expect(people).toBeChecked();
  await page.getByRole('textbox', { name: 'Sustained successful responses a second' }).fill('980');
  await expect(page.getByText(/6\.53 times as many: enough for 4,900 participants/)).toBeVisible();
  await look(page, 'calculate-participants');
});
