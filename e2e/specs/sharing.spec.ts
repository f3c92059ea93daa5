import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { look } from '../look.ts';
import { WizardPage } from '../pages/WizardPage.ts';
import { runHoldfast } from '../processes.ts';
import { putSmallRun } from '../storedRun.ts';
import { listRuns } from '../results.ts';

/** Drops files on the window, as from a file manager. */
async function dropFiles(page: Page, files: readonly { readonly name: string; readonly content: Buffer }[]): Promise<void> {
  const given = files.map(({ name, content }) => ({ name, base64: content.toString('base64') }));
  const transfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of ${JSON.stringify(given)})
        transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
      return transfer;
    })()`,
  );
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
}

async function runCommand(args: readonly string[], home: string): Promise<{ readonly code: number | null; readonly output: string }> {
  return runHoldfast(args, home).ended;
}

test('the CI step is copied from a result and from the page Check, and shown if the browser refuses to copy', async ({
  app,
  home,
  context,
}) => {
  const { page } = app;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  putSmallRun(home, 'A step for builds');
  await page.getByRole('link', { name: 'History' }).first().click();
  await page.getByRole('link', { name: /A step for builds/ }).click();
  await page.getByRole('button', { name: 'Export (CI, k6 …)' }).click();
  await page.getByRole('menuitem', { name: 'Copy the CI step' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'CI step' });
  await expect(dialog.getByRole('status')).toHaveText('Copied.');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    '- uses: OWNER/holdfast@main\n  with:\n    plan: load/plan.yaml\n    baseline: branch\n',
  );
  await look(page, 'ci-step');
  await dialog.getByRole('radio', { name: 'GitLab' }).press('Space');
  await expect(dialog.getByRole('status')).toHaveText('Not copied.');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('Copied.');
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('component: $CI_SERVER_FQDN/OWNER/holdfast/load-test@main');
  await page.keyboard.press('Escape');

  const wizard = new WizardPage(page);
  await wizard.openAddress('http://127.0.0.1:1/');
  await wizard.next('Ready to start?');
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
  await page.getByRole('button', { name: 'Copy the CI step' }).press('Enter');
  await expect(dialog.getByRole('status')).toContainText('The browser refused to copy');
  await expect(dialog.getByText('uses: OWNER/holdfast@main')).toBeVisible();
});

test('two result files that are dropped are compared, and dropped files of other kinds are reported by name', async ({ app, home }) => {
  const { page } = app;
  putSmallRun(home, 'Before the change');
  putSmallRun(home, 'After the change', 80);
  const files = [];
  for (const { id } of (await listRuns(home)).slice(0, 2)) {
    const { output } = await runCommand(['show', id, '--json'], home);
    files.push({ name: `${id}.json`, content: Buffer.from(output) });
  }
  await dropFiles(page, files);
  await expect(page.getByRole('heading', { level: 1, name: 'Comparison' })).toBeVisible();
  await expect(page.getByText('Throughput').first()).toBeVisible();
  await look(page, 'compared-files', ['light', 'narrow']);
  await dropFiles(page, [...files.slice(0, 1), { name: 'other.json', content: Buffer.from('{}') }]);
  await expect(page.getByText('other.json is no result of Holdfast.')).toBeVisible();
});

test('a sealed file is checked by command line and app, and a changed one is noticed', async ({ app, home }) => {
  const { page } = app;
  putSmallRun(home, 'A sealed run');
  const file = join(home, 'sealed.html');
  expect((await runCommand(['report', 'last', '--sealed', file], home)).code).toBe(0);
  const verified = await runCommand(['verify', file], home);
  expect([verified.code, verified.output]).toEqual([0, expect.stringContaining('Unchanged since it was sealed.')]);

  const content = await readFile(file);
  await dropFiles(page, [{ name: 'sealed.html', content }]);
  await expect(page.getByRole('alert')).toContainText('Unchanged since it was sealed.');
  await expect(page.getByRole('alert')).toContainText('the same verdict');
  await look(page, 'sealed');

  const changed = Buffer.from(content.toString().replace('A sealed run', 'A sealed rum'));
  await dropFiles(page, [{ name: 'sealed.html', content: changed }]);
  await expect(page.getByRole('alert')).toContainText('The file was changed after it was sealed.');
  await look(page, 'sealed-changed', ['light'], { knownColours: true });
  await writeFile(file, changed);
  expect((await runCommand(['verify', file], home)).code).toBe(1);

  // The file itself opens without scripts and requests.
  await writeFile(file, content);
  await page.goto(`file://${file}`);
  await expect(page.getByRole('heading', { name: 'What the signature does not prove' })).toBeVisible();
});
