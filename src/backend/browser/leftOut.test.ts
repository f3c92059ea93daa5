import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { planFor } from '../testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { launchBrowser } from '../visits/browser.ts';
import { LEFT_OUT } from './leftOut.ts';

const featuresOf = (flag: string): string[] => flag.slice(flag.indexOf('=') + 1).split(',');

it('a browser without a person leaves out all that Playwright leaves out', async () => {
  const directory = temporaryDirectory();
  const [program, said] = [join(directory, 'browser.sh'), join(directory, 'arguments')];
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" >'${said}'\n`);
  chmodSync(program, 0o755);
  await expect(chromium.launch({ executablePath: program, headless: true })).rejects.toThrow();
  const flag = readFileSync(said, 'utf8')
    .split('\n')
    .find((argument) => argument.startsWith('--disable-features='));
  // Those of Edge are none of Chromium's.
  const theirs = featuresOf(flag ?? '').filter((feature) => !feature.startsWith('ms'));
  expect(theirs).toContain('HttpsUpgrades');
  expect(featuresOf(LEFT_OUT)).toEqual(expect.arrayContaining(theirs));
});

it('a browser that visits has no page but the one that it visits', async () => {
  const browser = await launchBrowser(planFor('http://127.0.0.1:1/'));
  try {
    const page = await browser.newPage();
    const tools = await browser.newBrowserCDPSession();
    const { targetInfos } = await tools.send('Target.getTargets', { filter: [{}] });
    const pages = targetInfos.filter(({ url }) => url.startsWith('chrome:'));
    expect(pages).toEqual([]);
    expect(page.url()).toBe('about:blank');
  } finally {
    await browser.close();
  }
});
