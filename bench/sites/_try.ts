import { chromium } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { mediaWiki } from './mediaWiki.ts';
import { dokuWiki } from './dokuWiki.ts';
import { wordpress } from './wordpress.ts';
import { djangoAdmin } from './djangoAdmin.ts';
const all = { mediawiki: mediaWiki, dokuwiki: dokuWiki, wordpress, django: djangoAdmin } as const;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
for (const name of process.argv.slice(2) as (keyof typeof all)[]) {
  const folder = await mkdtemp('/tmp/site-');
  let site;
  const t = Date.now();
  try {
    site = await all[name].start(folder);
    console.log(name, 'started', (Date.now() - t) / 1000, site.url, 'writes', await site.writes());
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(8000);
    try { for (let i = 0; i < 2; i++) { await site.walk(page, site.accounts[i]!); console.log('walked; writes', await site.writes()); } }
    catch (e) { console.log(String(e).slice(0, 600)); await page.screenshot({ path: `/tmp/site-${name}.png` }); console.log(page.url(), (await page.content()).slice(0, 500)); }
  } catch (e) { console.log(name, String((e as Error).message).slice(0, 1500)); }
  await site?.close(); await rm(folder, { recursive: true, force: true });
}
await browser.close();
