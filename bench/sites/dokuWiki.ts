import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawnAccounts, perform, startPhp } from './phpSite.ts';
import type { RunningSite, Site } from './site.ts';

const ROOT = '/usr/share/dokuwiki';
const CONFIGURATION = '/etc/dokuwiki';
const DATA = ['attic', 'cache', 'index', 'locks', 'log', 'media', 'media_attic', 'media_meta', 'meta', 'pages', 'tmp'] as const;

/** A wiki of files. A person makes a page of their own and takes it away again: each of the two is a line in the list of changes. */
export const dokuWiki: Site = {
  id: 'dokuwiki',
  title: 'DokuWiki',
  needs: { files: [`${ROOT}/doku.php`], install: 'apt-get install --yes dokuwiki php-fpm php-xml nginx' },
  writes: ({ form = {} }) => 'do[save]' in form,
  start,
};

async function start(folder: string): Promise<RunningSite> {
  const root = join(folder, 'wiki');
  const data = join(folder, 'data');
  const configuration = join(folder, 'conf');
  await cp(ROOT, root, { recursive: true, dereference: true });
  await cp(CONFIGURATION, configuration, { recursive: true, dereference: true });
  for (const name of DATA) await mkdir(join(data, name), { recursive: true });
  const accounts = drawnAccounts(12);
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
  return {
    url: php.url,
    accounts,
    walk: async (page, { user, password }) => {
      const wiki = `${php.url}doku.php`;
      const edit = async (text: string): Promise<void> => {
        await page.goto(`${wiki}?id=notes:${user}&do=edit`);
        await page.locator('#wiki__text').fill(text);
        await page.locator('#edbtn__save').click();
        await page.waitForURL(/do=show|id=notes/);
      };
      await page.goto(`${wiki}?id=start`);
      await page.getByRole('link', { name: 'Log In' }).first().click();
      await page.locator('#focus__this').fill(user);
      await page.locator('input[type=password]').fill(password);
      await page.locator('#dw__login button[type=submit]').click();
      await page.getByRole('link', { name: 'Log Out' }).first().waitFor({ state: 'attached' });
      await page.goto(`${wiki}?id=start&do=search&q=welcome`);
      await edit('Notes for the next lesson.');
      await edit('');
      await page.goto(`${wiki}?id=start`);
      await page.getByRole('link', { name: 'Log Out' }).first().click();
      await page.getByRole('link', { name: 'Log In' }).first().waitFor();
    },
    stored: async () => {
      const changes = await readFile(join(data, 'meta', '_dokuwiki.changes'), 'utf8').catch(() => '');
      return changes.split('\n').filter((line) => line !== '').length;
    },
    close: () => php.close(),
  };
}
