import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';

/** Covers a test from the question to what spectators saw: streams stay open, scores arrive, and the result reports both. */
test(
  'the scoreboard preset reports how many people can watch the scoreboard',
  { tag: ['@preset', '@scoreboard', '@quick'] },
  async ({ app }) => {
    test.setTimeout(300_000);
    const { page } = app;
    const wizard = new WizardPage(page);
    const run = new RunPage(page);

    await wizard.open();
    await wizard.choose('How many can watch the scoreboard?');
    await wizard.next('Which server?');
    await page.getByRole('button', { name: 'Start the practice server' }).click();
    await expect(wizard.address).toHaveValue(/\/scoreboard\/$/, { timeout: 90_000 });
    await wizard.next('How much load?');
    await wizard.enterNumber(/spectators at the same time/, '40');
    await wizard.enterNumber(/seconds at each number/, '5');
    await look(page, 'scoreboard-1-load', ['narrow']);

    await wizard.next('Ready to start?');
    await expect(wizard.startButton).toBeEnabled();
    await wizard.start();
    await run.waitForLive();
    await expect(page.getByText('open streams').first()).toBeVisible({ timeout: 60_000 });
    await look(page, 'scoreboard-2-run', ['dark']);

    const verdict = await run.verdict(120_000);
    await expect(page.getByRole('figure', { name: /^Open streams/ })).toBeInViewport({ ratio: 1 });
    await expect(verdict).toHaveText(/^(Passed|Inconclusive)/);
    await expect(page.getByText('from sent to received').first()).toBeVisible();
    await run.unfold('Event streams');
    await expect(page.getByText('Closed by the listener')).toBeVisible();
    await look(page, 'scoreboard-3-result', ['light', 'narrow']);
  },
);
