import { randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startPhp } from './phpSite.ts';
import { perform } from './programs.ts';
import { type Account, drawnAccounts, type Journey, journeysOf, type RunningSite, type Site } from './site.ts';

const ROOT = '/usr/share/dokuwiki';
const CONFIGURATION = '/etc/dokuwiki';
const DATA = ['attic', 'cache', 'index', 'locks', 'log', 'media', 'media_attic', 'media_meta', 'meta', 'pages', 'tmp'] as const;

/** A file-based wiki. Each user has a separate namespace, so pages of others neither lock theirs nor remove its folder. */
export const dokuWiki: Site = {
  id: 'dokuwiki',
  title: 'DokuWiki',
  needs: { files: [`${ROOT}/doku.php`], install: 'apt-get install --yes dokuwiki php-fpm php-xml nginx' },
  start,
};

async function start(folder: string): Promise<RunningSite> {
  const root = join(folder, 'wiki');
  const data = join(folder, 'data');
  const configuration = join(folder, 'conf');
  await cp(ROOT, root, { recursive: true, dereference: true });
  await cp(CONFIGURATION, configuration, { recursive: true, dereference: true });
  for (const name of DATA) await mkdir(join(data, name), { recursive: true });
  const accounts = drawnAccounts();
  const hashes = await Promise.all(
    accounts.map(({ password }) => perform('php', ['-r', 'echo password_hash($argv[1], PASSWORD_BCRYPT, ["cost" => 4]);', '--', password])),
  );
  const users = accounts.map(({ user }, index) => `${user}:${hashes[index]}:${user}:${user}@example.org:user`);
  await writeFile(join(configuration, 'users.auth.php'), `${users.join('\n')}\n`);
  await writeFile(join(configuration, 'acl.auth.php'), '# <?php exit()?>\n*\t@ALL\t1\n*\t@user\t16\n');
  await writeFile(join(root, 'inc', 'preload.php'), `<?php\ndefine('DOKU_CONF', '${configuration}/');\n`);
  const php = await startPhp(join(folder, 'php'), { root, locations: 'location ~ ^/(inc|bin|vendor)/ { deny all; }' });
  const settings = {
    title: 'Practice wiki',
    useacl: 1,
    superuser: '@admin',
    disableactions: 'register',
    baseurl: php.url.slice(0, -1),
    savedir: data,
    authtype: 'authplain',
    template: 'dokuwiki',
    lang: 'en',
  };
  const lines = Object.entries(settings).map(([name, value]) => `$conf['${name}'] = ${JSON.stringify(value)};`);
  await writeFile(join(configuration, 'local.php'), `<?php\n${lines.join('\n')}\n`);
  // The pages of the first recorded account are older than those of the last one.
  const pages = accounts.flatMap(({ user }, index) => [
    index === 1 ? 'sleep(1);' : '',
    `saveWikiText('${user}:home', "====== Home ======\\n\\n===== Lessons =====\\n\\nThe next one is ${randomUUID()}.\\n", 'seed');`,
    `saveWikiText('${user}:notes', 'Notes of ${user}.', 'seed');`,
  ]);
  await writeFile(
    join(folder, 'pages.php'),
    `<?php\n$_SERVER['REMOTE_ADDR'] = '127.0.0.1';\nrequire '${root}/inc/init.php';\n${pages.join('\n')}\n`,
  );
  await perform('php', [join(folder, 'pages.php')]).catch(async (error: unknown) => {
    await php.close();
    throw error;
  });
  const wiki = `${php.url}doku.php`;
  const stored = async (): Promise<number> => {
    const changes = await readFile(join(data, 'meta', '_dokuwiki.changes'), 'utf8');
    // A change that could not be saved is listed too, without a time.
    return changes.split('\n').filter((line) => /^\d/.test(line)).length;
  };
  const writes: Journey['writes'] = ({ form = {} }) => 'do[save]' in form;
  return {
    url: php.url,
    accounts,
    close: () => php.close(),
    journeys: journeysOf(
      {
        reader: async (page, account, word) => {
          await logIn(page, wiki, account);
          await page.goto(`${wiki}?id=start&do=search&q=welcome`);
          await page.goto(`${wiki}?id=${account.user}:notes&do=edit`);
          await save(page, `Notes for the next lesson: ${word}.`);
          await logOut(page);
        },
        author: async (page, account, word) => {
          await logIn(page, wiki, account);
          await page.goto(`${wiki}?id=start&do=search&q=lesson`);
          await page.goto(`${wiki}?id=${account.user}:lesson_${word}`);
          await page.getByRole('link', { name: 'Create this page' }).first().click();
          await save(page, '====== Lesson ======\n\nBring a calculator.');
          await page.goto(`${wiki}?id=${account.user}:lesson_${word}&do=revisions`);
          await logOut(page);
        },
        editor: async (page, account, word) => {
          await logIn(page, wiki, account);
          await page.goto(`${wiki}?id=start&do=search&q=home`);
          await page.goto(`${wiki}?id=${account.user}:home`);
          await page.locator('.editbutton_section button').last().click();
          await save(page, `===== Lessons =====\n\nThe next one is ${word}.`);
          await logOut(page);
        },
      },
      { writes, stored },
    ),
  };
}

async function logIn(page: Page, wiki: string, { user, password }: Account): Promise<void> {
  await page.goto(`${wiki}?id=start`);
  await page.getByRole('link', { name: 'Log In' }).first().click();
  await page.locator('#focus__this').fill(user);
  await page.locator('input[type=password]').fill(password);
  await page.locator('#dw__login button[type=submit]').click();
  await page.getByRole('link', { name: 'Log Out' }).first().waitFor({ state: 'attached' });
}

async function save(page: Page, text: string): Promise<void> {
  await page.locator('#wiki__text').fill(text);
  await page.locator('#edbtn__save').click();
  await page.locator('#wiki__text').waitFor({ state: 'detached' });
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Log Out' }).first().click();
  await page.getByRole('link', { name: 'Log In' }).first().waitFor();
}
