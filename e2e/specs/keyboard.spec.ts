import { expect, test } from '../fixtures.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { MAX_STOPS, tabTo } from '../tabTo.ts';

test('a test can be made, run and read with only the keyboard', async ({ app, contest }) => {
  const { page } = app;
  const wizard = new WizardPage(page);
  const { keyboard } = page;
  await tabTo(page, /^New test$/);
  await keyboard.press('Enter');
  await expect(wizard.heading('What do you want to know?')).toBeVisible();

  const question = page.getByRole('radio', { name: 'How fast is one page?' });
  await tabTo(page, /hold\?|fast/);
  for (let presses = 0; presses < MAX_STOPS && !(await question.isChecked()); presses += 1) {
    await keyboard.press('ArrowDown');
    // Waits, because the selection may still move on after it was last read.
    await expect(page.locator('input[type=radio]:focus')).toBeChecked();
  }
  await expect(question).toBeChecked();
  await tabTo(page, /^Next$/);
  await keyboard.press('Enter');

  await expect(wizard.heading('Which server?')).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Address/ })).toBeFocused();
  await keyboard.type(contest.urls[0] ?? '');
  await tabTo(page, /^Next$/);
  await keyboard.press('Enter');

  await expect(wizard.heading('How much load?')).toBeFocused();
  await expect(page.getByLabel(/How many connections/)).toBeVisible();
  await tabTo(page, /How many connections/);
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('2');
  await tabTo(page, /For how many seconds/);
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('4');
  await tabTo(page, /^Next$/);
  await keyboard.press('Enter');

  await expect(wizard.heading('Ready to start?')).toBeFocused();
  await expect(wizard.startButton).toBeEnabled();
  await tabTo(page, /^Start the test$/);
  await expect(async () => {
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/runs\//, { timeout: 1_000 });
  }).toPass();

  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await new RunPage(page).verdict(60_000);
  // The page below the heading has changed, but the focus must stay on the heading.
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await tabTo(page, /Latency percentiles/);
  await keyboard.press('Enter');
  await expect(page.getByRole('rowheader', { name: 'Service time' })).toBeVisible();
});
