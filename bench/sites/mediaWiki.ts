import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startPhp } from './phpSite.ts';
import { perform } from './programs.ts';
import { type Account, drawnAccounts, type Journey, journeysOf, type RunningSite, type Site } from './site.ts';

const ROOT = '/usr/share/mediawiki';
const ADMIN = { user: 'WikiAdmin', password: 'practice-admin-password-1' };

/** A wiki over SQLite. Each editing user has a separate page, because edits of one page conflict. */
export const mediaWiki: Site = {
  id: 'mediawiki',
  title: 'MediaWiki',
  needs: {
    files: [`${ROOT}/index.php`, '/usr/bin/sqlite3'],
    install: 'apt-get install --yes mediawiki php-fpm php-sqlite3 php-intl php-mbstring php-xml nginx sqlite3',
  },
  start,
};

// No jobs or mail beside page requests, and no rate limit of edits.
const SETTINGS = `
$wgJobRunRate = 0;
$wgEnableEmail = false;
$wgRateLimits = [];
$wgPasswordAttemptThrottle = [];
$wgMainCacheType = CACHE_NONE;
$wgSessionCacheType = CACHE_DB;
`;

async function start(folder: string): Promise<RunningSite> {
  const data = join(folder, 'data');
  const pages = join(folder, 'pages');
  await mkdir(data, { recursive: true });
  await mkdir(pages, { recursive: true });
  const settings = join(folder, 'LocalSettings.php');
  const environment = { MW_CONFIG_FILE: settings };
  const php = await startPhp(join(folder, 'php'), { root: ROOT, locations: '', environment });
  // MediaWiki capitalizes names, also in links.
  const accounts = drawnAccounts().map(({ user, password }) => ({ user: user.charAt(0).toUpperCase() + user.slice(1), password }));
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
    await appendFile(settings, SETTINGS);
    for (const { user, password } of accounts) await maintain('createAndPromote.php', user, password);
    const files = accounts.map(({ user }) => join(pages, `${user}.txt`));
    for (const file of files) await writeFile(file, 'Lessons of mine.\n\n== Next ==\nNone.\n');
    await maintain('importTextFiles.php', '--user', ADMIN.user, '--prefix', 'User:', ...files);
  } catch (error) {
    await php.close();
    throw error;
  }
  const wiki = `${php.url}index.php`;
  const stored = async (): Promise<number> =>
    Number(await perform('sqlite3', [join(data, 'wiki.sqlite'), 'select count(*) from revision']));
  const writes: Journey['writes'] = ({ path = '' }) => path.includes('action=submit');
  return {
    url: php.url,
    accounts,
    close: () => php.close(),
    journeys: journeysOf(
      {
        reader: async (page, account, word) => {
          await logIn(page, wiki, account);
          await search(page, wiki, 'practice');
          await page.goto(`${wiki}?title=Talk:Main_Page&action=edit&section=new`);
          await page.locator('#wpSummary').fill('A question');
          await save(page, `How many visitors can this wiki serve? ${word}`);
          await logOut(page, wiki);
        },
        author: async (page, account, word) => {
          await logIn(page, wiki, account);
          await search(page, wiki, 'lesson');
          await page.goto(`${wiki}?title=Lesson_${word}&action=edit`);
          await save(page, 'Bring a calculator.');
          await page.getByRole('link', { name: 'View history' }).first().click();
          await logOut(page, wiki);
        },
        editor: async (page, account, word) => {
          await logIn(page, wiki, account);
          await search(page, wiki, 'lessons');
          await page.goto(`${wiki}?title=User:${account.user}`);
          await page.locator('.mw-editsection a').first().click();
          await save(page, `== Next ==\nThe next one is ${word}.`);
          await logOut(page, wiki);
        },
      },
      { writes, stored },
    ),
  };
}

async function logIn(page: Page, wiki: string, { user, password }: Account): Promise<void> {
  await page.goto(`${wiki}?title=Main_Page`);
  await page.getByRole('link', { name: 'Log in' }).first().click();
  await page.getByRole('textbox', { name: 'Username' }).fill(user);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Log out' }).waitFor({ state: 'attached' });
}

async function search(page: Page, wiki: string, words: string): Promise<void> {
  await page.goto(`${wiki}?search=${words}&title=Special:Search&fulltext=1`);
}

async function save(page: Page, text: string): Promise<void> {
  await page.locator('#wpTextbox1').fill(text);
  await page.locator('#wpSave').click();
  await page.locator('#wpTextbox1').waitFor({ state: 'detached' });
}

async function logOut(page: Page, wiki: string): Promise<void> {
  await page.goto(`${wiki}?title=Special:UserLogout`);
  await page
    .getByRole('button')
    .filter({ hasText: /submit|log out|continue/i })
    .first()
    .click();
  await page.getByRole('link', { name: 'Log in' }).first().waitFor();
}
