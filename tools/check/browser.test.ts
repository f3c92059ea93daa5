import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { browserOfWalks, installedBrowser } from './browser.ts';

it('tests use the headless browser if it is installed, but Holdfast opens Chromium', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-browsers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const environment = { PATH: folder };
  writeFileSync(join(folder, 'chromium'), '');
  expect(browserOfWalks(environment)).toBe(join(folder, 'chromium'));
  writeFileSync(join(folder, 'chromium-headless-shell'), '');
  expect(browserOfWalks(environment)).toBe(join(folder, 'chromium-headless-shell'));
  expect(installedBrowser(environment)).toBe(join(folder, 'chromium'));
});
