import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { Window } from '#core/measurement/window.ts';
import { windowWith } from '#core/testing/windows.ts';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { RunPage } from '../pages/RunPage.ts';
import { putRun } from '#backend/testing/storedRun.ts';

const FREEZES = [
  { from: 3, to: 9 },
  { from: 16, to: 22 },
];
const CONNECTIONS = 8;

/** Returns windows of eight connections to a server that twice sends nothing for six seconds. */
function freezingSeconds(): Window[] {
  return Array.from({ length: 28 }, (_, second) => {
    if (FREEZES.some(({ from, to }) => second >= from && second < to)) return windowWith({ second, inFlight: CONNECTIONS });
    const thawed = FREEZES.filter(({ to }) => to === second).map(({ from, to }) => ({ count: CONNECTIONS, ms: (to - from) * 1_000 }));
    return windowWith({ second, ok: [...thawed, { count: 700, ms: 10 }], inFlight: CONNECTIONS });
  });
}

/** Returns the share of the window's height that sticky elements cover. */
async function coveredShare(page: Page): Promise<number> {
  return page.evaluate<number>(`
    [...document.querySelectorAll('main *, nav')]
      // Elements that stick within a long table cover only that table.
      .filter((element) => ['sticky', 'fixed'].includes(getComputedStyle(element).position) && element.closest('table') === null)
      .map((element) => element.getBoundingClientRect())
      .filter(({ width, height }) => height > 1 && width > innerWidth / 2)
      .reduce((sum, { height }) => sum + height, 0) / innerHeight
  `);
}

/** Returns the number of spans that a chart shades for the selected finding. */
async function countShadedSpans(chart: Locator): Promise<number> {
  const path = await chart.locator('svg path[fill="var(--text-failed)"][fill-opacity="0.28"]').getAttribute('d');
  return path?.match(/M/g)?.length ?? 0;
}

/** Returns the label of the first mark on the time axis. */
function firstMark(chart: Locator): Promise<string | null> {
  return chart.locator('.recharts-xAxis-tick-labels text').first().textContent();
}

test("the keyboard reaches a finding in the charts, which shade only the finding's seconds", async ({ app, home }) => {
  const { page } = app;
  const id = putRun(home, {
    plan: {
      name: 'Two freezes',
      targets: [{ url: 'http://127.0.0.1:1/freezes' }],
      journey: [{ name: 'page' }],
      load: { model: 'connections', stages: [{ connections: CONNECTIONS, seconds: 28 }] },
    },
    windows: freezingSeconds(),
  });
  await page.goto(`${new URL(page.url()).origin}/#/runs/${id}`);
  await new RunPage(page).verdict(60_000);

  const latency = page.getByRole('figure', { name: /^Latency/ });
  // Most responses take 10 ms and some take six seconds, so on a linear axis the median would look like a flat line at the bottom.
  await expect(latency.getByRole('button', { name: 'Log scale' })).toHaveAttribute('aria-pressed', 'true');
  await expect(latency.locator('svg').getByText('log scale')).toHaveCount(1);

  // The legend shows and hides lines.
  const lines = latency.locator('.recharts-line');
  await expect(lines).toHaveCount(4);
  await latency.getByRole('button', { name: 'p99', exact: true }).click();
  await expect(lines).toHaveCount(3);
  await latency.getByRole('button', { name: 'p99', exact: true }).click();

  // Dragging zooms both charts and shows what happened in the range. Escape shows the whole run again.
  const rate = page.getByRole('figure', { name: /^Throughput/ });
  const box = await rate.locator('svg.recharts-surface').boundingBox();
  const [left, top] = [box?.x ?? 0, (box?.y ?? 0) + 100];
  const width = (box?.width ?? 0) - 58 - 24;
  await page.mouse.move(left + 58 + (10.2 / 28) * width, top);
  await page.mouse.down();
  await page.mouse.move(left + 58 + (14.8 / 28) * width, top, { steps: 3 });
  await page.mouse.up();
  const range = page.getByRole('status').filter({ hasText: '0:10 to 0:15' });
  await expect(range).toContainText('Throughput 700/s · p50 10 ms · p95 10 ms · failed 0');
  for (const chart of [rate, latency]) await expect.poll(() => firstMark(chart)).toBe('0:10');
  await look(page, 'charts-zoomed');
  await page.keyboard.press('Escape');
  await expect(range).toHaveCount(0);

  // The same must be possible with the keyboard.
  await rate.getByRole('slider').focus();
  for (const key of ['Home', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter']) await page.keyboard.press(key);
  await expect(page.getByRole('status').filter({ hasText: '0:00 to 0:03' })).toContainText('Throughput 700/s');
  await page.getByRole('button', { name: 'Show the whole run', exact: true }).click();
  for (const chart of [rate, latency]) await expect.poll(() => firstMark(chart)).toBe('0:00');

  const marks = latency.getByRole('list', { name: 'Latency: marks of findings' });
  const freeze = marks.getByRole('button', { name: /^Finding \d+: The server froze twice/ });
  await marks.getByRole('button').first().focus();
  await page.keyboard.press('Home');
  for (let step = 0; step < 20 && !(await freeze.evaluate((one) => one.matches(':focus'))); step++) await page.keyboard.press('ArrowRight');
  await expect(freeze).toBeFocused();
  await expect(freeze, 'the keys walk, and do not scroll the page').toBeInViewport();
  await expect(page.getByRole('tooltip')).toContainText('The server froze twice');
  await expect.poll(() => countShadedSpans(page.getByRole('figure', { name: /^Throughput/ }))).toBe(2);
  await look(page, 'charts-finding');

  await latency.getByRole('button', { name: 'Show as table: Latency' }).click();
  await expect(latency.getByRole('table', { name: 'Latency' })).toBeVisible();
  await look(page, 'charts-table');

  // This is the size of a window of 1,280 by 720 at a zoom of 200 %.
  await page.setViewportSize({ width: 640, height: 360 });
  expect(await coveredShare(page)).toBeLessThanOrEqual(0.25);

  // If there is no room for the names of lines, an exported picture must include them.
  await page.setViewportSize({ width: 360, height: 720 });
  const throughput = page.getByRole('figure', { name: /^Throughput/ });
  await throughput.getByRole('button', { name: 'Copy, save or play “Throughput”' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as SVG' }).click();
  const picture = await readFile(await (await download).path(), 'utf8');
  for (const name of ['Started', 'Completed']) expect(picture).toContain(`>${name}</text>`);
});
