import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { z } from 'zod';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { runHoldfast } from '../processes.ts';
import { listRuns } from '../results.ts';

const FREEZES = [
  { from: 3, to: 9 },
  { from: 16, to: 22 },
];

/** A server that answers nothing for six seconds, twice; its clock begins with the first request. */
async function startFreezingServer(): Promise<{ readonly url: string; close(): void }> {
  let beganAt = 0;
  const server = createServer((_, response) => {
    beganAt ||= Date.now();
    const second = (Date.now() - beganAt) / 1_000;
    const freeze = FREEZES.find(({ from, to }) => second >= from && second < to);
    setTimeout(() => response.end('hello'), freeze ? (freeze.to - second) * 1_000 : 10);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/freezes`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The part of the window's height that is covered by what stays in it while the page scrolls. */
async function coveredShare(page: Page): Promise<number> {
  return page.evaluate<number>(`
    [...document.querySelectorAll('main *, nav')]
      // What sticks within a long table covers nothing but that table.
      .filter((element) => ['sticky', 'fixed'].includes(getComputedStyle(element).position) && element.closest('table') === null)
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, height }) => height > 1 && width > innerWidth / 2)
      .reduce((sum, { height }) => sum + height, 0) / innerHeight
  `);
}

/** Seconds that a chart shades for the finding that is looked at, as the widths of their shades. */
async function shades(chart: Locator): Promise<number[]> {
  const widths = await chart.locator('[aria-hidden] > svg rect[fill="var(--text-breaks)"][fill-opacity="0.28"]').evaluateAll((all) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- [the page has only such rectangles there]
    all.map((one) => Number((one as { getAttribute(name: string): string | null }).getAttribute('width'))),
  );
  return widths;
}

test('a finding is found in the charts by keyboard, with its own seconds shaded and no others', async ({ app, home }) => {
  test.setTimeout(240_000);
  const { page } = app;
  const server = await startFreezingServer();
  try {
    const { code, output } = await runHoldfast(['quick', server.url, '-c', '8', '-d', '28s', '--quiet'], home).ended;
    expect(code, output).toBe(0);
  } finally {
    server.close();
  }
  const run = (await listRuns(home)).find(({ target }) => target.endsWith('/freezes'));
  await page.goto(`${new URL(page.url()).origin}/#/runs/${run?.id ?? ''}`);
  await new RunPage(page).verdict(60_000);

  const latency = page.getByRole('figure', { name: /^Latency/ });
  // Most responses take 10 ms and some six seconds: an even axis would press the median flat.
  await expect(latency.getByRole('button', { name: 'Log scale' })).toHaveAttribute('aria-pressed', 'true');
  await expect(latency.locator('svg').getByText('log scale')).toHaveCount(1);

  const marks = latency.getByRole('list', { name: 'Latency: marks of findings' });
  const freeze = marks.getByRole('button', { name: /^Finding \d+: The server froze twice/ });
  await marks.getByRole('button').first().focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 20 && !(await freeze.evaluate((one) => one.matches(':focus'))); step++) await page.keyboard.press('ArrowRight');
  await expect(freeze).toBeFocused();
  await expect(freeze, 'the keys walk, and do not scroll the page').toBeInViewport();
  await expect(page.getByRole('tooltip')).toContainText('The server froze twice');
  const widths = await shades(page.getByRole('figure', { name: /^Throughput/ }));
  expect(widths).toHaveLength(2);
  await look(page, 'charts-finding');

  await latency.getByRole('button', { name: 'Show as table: Latency' }).click();
  await expect(latency.getByRole('table', { name: 'Latency' })).toBeVisible();
  await look(page, 'charts-table');

  // A window of 1,280 by 720 at 200 %.
  await page.setViewportSize({ width: 640, height: 360 });
  expect(await coveredShare(page)).toBeLessThanOrEqual(0.25);

  // Where the names of lines have no room beside them, a picture that leaves the page takes them along.
  await page.setViewportSize({ width: 360, height: 720 });
  const throughput = page.getByRole('figure', { name: /^Throughput/ });
  await throughput.getByRole('button', { name: 'Copy, save or play “Throughput”' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as SVG' }).click();
  const picture = await readFile(await (await download).path(), 'utf8');
  for (const name of ['Started', 'Completed']) expect(picture).toContain(`>${name}</text>`);
});
