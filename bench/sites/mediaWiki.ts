import { mkdir, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawnAccounts, perform, startPhp } from './phpSite.ts';
import type { RunningSite, Site } from './site.ts';

const ROOT = '/usr/share/mediawiki';
const ADMIN = { user: 'WikiAdmin', password: 'practice-admin-password-1' };

/** A wiki over SQLite. A new section changes a page each time, where the same text again would change nothing. */
export const mediaWiki: Site = {
  id: 'mediawiki',
  title: 'MediaWiki',
  needs: {
    files: [`${ROOT}/index.php`, '/usr/bin/sqlite3'],
    install: 'apt-get install --yes mediawiki php-fpm php-sqlite3 php-intl php-mbstring php-xml nginx sqlite3',
  },
  writes: ({ path = '' }) => path.includes('action=submit'),
  start,
};

async function start(folder: string): Promise<RunningSite> {
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });
  const settings = join(folder, 'LocalSettings.php');
  const environment = { MW_CONFIG_FILE: settings };
  const php = await startPhp(join(folder, 'php'), { root: ROOT, locations: '', environment });
  const accounts = drawnAccounts(12);
  const maintain = (script: string, ...parameters: string[]): Promise<string> =>
    perform('php', [join(ROOT, 'maintenance', script), ...parameters], environment);
  try {
    await perform('php', [
      join(ROOT, 'maintenance', 'install.php'),
      '--dbtype=sqlite',
      `--dbpath=${data}`,
      '--dbname=wiki',
      `--server=${php.url.slice(0, -1)}`,
      '--scriptpath=',
      `--confpath=${folder}`,
      `--pass=${ADMIN.password}`,
      'Practice wiki',
      ADMIN.user,
    ]);
    // Neither jobs nor mail beside the pages, and no limit of edits for one address.
    await appendFile(
      settings,
      '\n$wgJobRunRate = 0;\n$wgEnableEmail = false;\n$wgRateLimits = [];\n$wgPasswordAttemptThrottle = [];\n$wgMainCacheType = CACHE_NONE;\n$wgSessionCacheType = CACHE_DB;\n',
    );
    for (const { user, password } of accounts) await maintain('createAndPromote.php', user, password);
  } catch (error) {
    await php.close();
    throw error;
  }
  return {
    url: php.url,
    accounts,
    walk: async (page, { user, password }) => {
      await page.goto(`${php.url}index.php?title=Main_Page`);
      await page.getByRole('link', { name: 'Log in' }).first().click();
      await page.getByRole('textbox', { name: 'Username' }).fill(user);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('link', { name: 'Log out' }).waitFor({ state: 'attached' });
      await page.goto(`${php.url}index.php?search=practice&title=Special:Search&fulltext=1`);
      await page.goto(`${php.url}index.php?title=Talk:Main_Page&action=edit&section=new`);
      await page.locator('#wpSummary').fill('A question');
      await page.locator('#wpTextbox1').fill('How many visitors can this wiki serve?');
      await page.locator('#wpSave').click();
      await page.waitForURL(/Talk:Main_Page/);
      await page.goto(`${php.url}index.php?title=Special:UserLogout`);
      await page
        .getByRole('button')
        .filter({ hasText: /submit|log out|continue/i })
        .first()
        .click();
      await page.getByRole('link', { name: 'Log in' }).first().waitFor();
    },
    stored: async () => Number(await perform('sqlite3', [join(data, 'wiki.sqlite'), 'select count(*) from revision'])),
    close: () => php.close(),
  };
}
