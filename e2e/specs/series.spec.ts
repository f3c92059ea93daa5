import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { runHoldfast } from '../processes.ts';

test('a series fills its table cell by cell, and its result compares the variants', async ({ app, contest, home }) => {
  test.setTimeout(600_000);
  const { page } = app;
  const [first = '', second = first] = contest.urls;
  const variants = [
    { name: 'shard A', factors: { cache: 'warm', cores: 1 }, targets: [{ url: first }] },
    { name: 'shard B', factors: { cache: 'cold', cores: 2 }, targets: [{ url: second }] },
  ];
  const command = 'echo "for $HOLDFAST_VARIANT"';
  const series = { variants, levels: { connections: [1, 3] }, repeats: 1, coolDownSeconds: 0.2, before: [command] };
  const load = { model: 'connections', stages: [{ connections: 1, seconds: 1.6 }] };
  const plan = { holdfast: 1, name: 'Shards side by side', journey: [{ name: 'page' }], load, series };
  const file = join(home, 'series.json');
  await writeFile(file, JSON.stringify(plan));
  const running = runHoldfast(['series', file, '--allow', `command:${command}`], home);

  await page.getByRole('link', { name: 'History' }).first().click();
  await page.getByRole('link', { name: 'Series “Shards side by side”' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Shards side by side' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^shard B · 3 connections/ }).getByText('Waiting')).toBeVisible();
  await expect(page.getByText(/now .*\/s, p95/)).toBeVisible();
  await expect(page.getByRole('row', { name: /^shard A · 1 connection/ }).getByText('Measured')).toBeVisible();
  await page.screenshot({ path: join('e2e', 'artifacts', 'pictures', 'series-live.png') });

  const { code, output } = await running.ended;
  expect(code, output).toBe(0);
  await expect(page.getByText(/4 of 4 runs/).first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Cells' }).getByText('Measured', { exact: true })).toHaveCount(4);
  await expect(page.getByRole('heading', { name: 'Findings' })).toBeVisible();
  await expect(
    page.getByText(/“shard B” has .* successful responses a second than “shard A”, which may be chance: 5 runs of each are needed/),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Commands run' }).click();
  await expect(page.getByText('for shard A').first()).toBeVisible();
  await expect(page.getByText('This series runs commands on the computer', { exact: false })).toBeVisible();
  await look(page, 'series');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the table (CSV)' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv.split('\r\n')[0]).toContain('factor_cache,factor_cores,connections,state');

  await page.getByRole('link', { name: 'Run 1 of shard B · 3 connections' }).click();
  await expect(page.getByRole('link', { name: 'Part of the series “Shards side by side”: shard B · 3 connections' })).toBeVisible();
});

test('a matrix shows the state of each cell; a matrix without commands can be run again from its page, and stopped', async ({
  app,
  contest,
  home,
}) => {
  test.setTimeout(600_000);
  const { page } = app;
  const load = { model: 'connections', stages: [{ connections: 1, requests: 10 }] };
  const matrix = { levels: { connections: [3], requests: [2, 10] }, coolDownSeconds: 0.5 };
  const plan = { holdfast: 1, name: 'Connections by requests', journey: [{ name: 'page' }], load, targets: [{ url: contest.urls[0] }] };
  const file = join(home, 'matrix.json');
  await writeFile(file, JSON.stringify({ ...plan, series: matrix }));
  const { code, output } = await runHoldfast(['series', file, '--quiet'], home).ended;
  expect(code, output).toBe(0);

  await page.getByRole('link', { name: 'History' }).first().click();
  await page.getByRole('link', { name: 'Series “Connections by requests”' }).click();
  const grid = page.getByRole('table', { name: 'Throughput' });
  await expect(grid.getByRole('row', { name: '2 requests' })).toContainText('Refused');
  await expect(grid.getByRole('row', { name: '10 requests' }).getByRole('cell').last()).toHaveText(/\/s$/);
  await look(page, 'series-matrix', ['light']);

  const address = page.url();
  await page.getByRole('button', { name: 'Run the series again' }).click();
  await page.getByRole('button', { name: 'Stop the series' }).click();
  expect(page.url()).not.toBe(address);
  await expect(page.getByText('This series was stopped. Finished cells are kept.')).toBeVisible({ timeout: 60_000 });

  await page.getByRole('button', { name: /^Continue with the \d+ remaining runs?$/ }).click();
  await expect(page.getByText('This series was stopped. Finished cells are kept.')).toBeHidden({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Delete the series' })).toBeVisible({ timeout: 180_000 });
  await expect(page.getByRole('button', { name: /^Continue with/ })).toBeHidden();
  await page.getByRole('button', { name: 'Delete the series' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the series' }).click();
  await expect(page).toHaveURL(/\/history$/);
});

test('the behaviour of a server is found from its address, and the result is stored with its runs', async ({ app, contest }) => {
  test.setTimeout(600_000);
  const { page } = app;
  await page.getByRole('link', { name: 'New test' }).first().click();
  await page.getByRole('link', { name: 'Analyze a server' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Analyze a server' })).toBeVisible();
  await page.getByRole('button', { name: 'Analyze the server' }).click();
  await expect(page.getByText('Enter the address of a page.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Page address' }).fill(contest.urls[0] ?? '');
  await page.getByRole('button', { name: 'More settings' }).click();
  await page.getByRole('textbox', { name: 'Most users' }).fill('8');
  await page.getByRole('textbox', { name: 'Idle time of connections' }).fill('1');
  await look(page, 'searches');
  await page.getByRole('button', { name: 'Analyze the server' }).click();

  await expect(page.getByRole('heading', { name: 'Result so far' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^one user/ }).getByText('Measured')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible({ timeout: 180_000 });
  await expect(page.getByRole('heading', { name: 'Result', exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /^8 users/ }).getByText('Measured')).toBeVisible();
  for (const name of ['Kind', 'Time of a response', 'Workers', 'Queue', 'Time-out', 'Idle connections'])
    await expect(page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) })).toBeVisible();
  await look(page, 'server');

  await page
    .getByRole('row', { name: /^8 users/ })
    .getByRole('link')
    .click();
  await page.getByRole('link', { name: /^Part of the search “What is .*”: 8 users$/ }).click();
  await expect(page.getByRole('button', { name: 'Search again' })).toBeVisible();
});
