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

/** Returns windows of eight connections to a server that sends nothing for six seconds, twice. */
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

/** Returns the widths of the spans that a chart shades for the selected finding. */
async function shades(chart: Locator): Promise<number[]> {
  const widths = await chart.locator('[aria-hidden] > svg rect[fill="var(--text-failed)"][fill-opacity="0.28"]').evaluateAll((all) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- [the page has only such rectangles there]
    all.map((one) => Number((one as { getAttribute(name: string): string | null }).getAttribute('width'))),
  );
  return widths;
}

test('the keyboard reaches a finding in the charts, which shade exactly its seconds', async ({ app, home }) => {
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
  // Most responses take 10 ms and some six seconds: a linear axis would flatten the median.
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

  // Without room for line names, an exported picture includes them.
  await page.setViewportSize({ width: 360, height: 720 });
  const throughput = page.getByRole('figure', { name: /^Throughput/ });
  await throughput.getByRole('button', { name: 'Copy, save or play “Throughput”' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Save as SVG' }).click();
  const picture = await readFile(await (await download).path(), 'utf8');
  for (const name of ['Started', 'Completed']) expect(picture).toContain(`>${name}</text>`);
});
