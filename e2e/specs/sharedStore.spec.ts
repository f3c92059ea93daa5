import { expect, test } from '../fixtures.ts';
import { RunPage } from '../pages/RunPage.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { runHoldfast } from '../processes.ts';
import { listRuns, showRun } from '../results.ts';

// That processes can share one store is tested every time by src/backend/store/severalProcesses.test.ts and src/cli/main.test.ts.
test('two command lines and the app share one store even if one of them is killed', { tag: '@nightly' }, async ({ app, contest, home }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const [mine = '', theirs = mine] = contest.urls;
  const already = new Set((await listRuns(home)).map(({ id }) => id));
  const wizard = new WizardPage(page);
  await wizard.prepareOnePage(mine, 14);

  const toEnd = runHoldfast(['quick', `${theirs}?ends`, '-c', '2', '-d', '10s', '--quiet'], home);
  const toKill = runHoldfast(['quick', `${theirs}?killed`, '-c', '2', '-d', '10m', '--quiet'], home);
  try {
    await wizard.start();
    await new RunPage(page).waitForLive();
    await page.goto(`${new URL(page.url()).origin}/#/running`);
    await expect(page.getByRole('row', { name: /127\.0\.0\.1/ })).toHaveCount(3, { timeout: 60_000 });

    const findKilledRun = async (): Promise<string> => (await listRuns(home)).find(({ target }) => target.endsWith('?killed'))?.id ?? '';
    const killedId = await findKilledRun();
    await expect.poll(async () => (await showRun(killedId, home)).windows.length, { timeout: 60_000 }).toBeGreaterThan(3);
    await toKill.kill();
    const { code, output } = await toEnd.ended;
    expect(code, output).toBe(0);
  } finally {
    await Promise.all([toKill.kill(), toEnd.kill()]);
  }

  await page.getByRole('link', { name: 'History' }).first().click();
  await expect(page.getByRole('row', { name: /\?killed/ }).getByText('Interrupted')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('row', { name: /\?ends/ }).getByText('Measured')).toBeVisible();
  await expect.poll(async () => (await listRuns(home)).filter(({ state }) => state === 'running').length, { timeout: 60_000 }).toBe(0);

  const runs = (await listRuns(home)).filter(({ id }) => !already.has(id));
  expect(runs).toHaveLength(3);
  for (const { id, target } of runs) {
    const { run, balances, outcomes, windows } = await showRun(id, home);
    const { sent = 0, ...others } = outcomes.requests;
    expect(run.state, target).toBe(target.endsWith('?killed') ? 'interrupted' : 'finished');
    expect(windows.length, target).toBeGreaterThan(3);
    expect(sent, target).toBeGreaterThan(0);
    if (target.endsWith('?killed')) continue;
    expect(balances, target).toBe(true);
    expect(
      Object.values(others).reduce((sum, count) => sum + count, 0),
      target,
    ).toBe(sent);
  }
});
