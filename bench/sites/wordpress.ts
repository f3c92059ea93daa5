import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { drawnAccounts, perform, startPhp } from './phpSite.ts';
import type { RunningSite, Site } from './site.ts';

const ROOT = '/usr/share/wordpress';
const SERVER = '/usr/sbin/mariadbd';
const TRIES = 100;

/** A blog over MariaDB. Its visitors comment; the pause between comments and the refusal of equal ones are switched off, as a test does on a copy. */
export const wordpress: Site = {
  id: 'wordpress',
  title: 'WordPress',
  needs: {
    files: [`${ROOT}/wp-login.php`, SERVER, `${ROOT}/wp-content/themes/twentytwentythree`],
    install: 'apt-get install --yes wordpress wordpress-theme-twentytwentythree mariadb-server php-fpm php-mysql nginx',
  },
  writes: ({ path = '' }) => path.includes('wp-comments-post.php'),
  start,
};

const PLUGIN = `<?php
add_filter('duplicate_comment_id', '__return_zero');
add_filter('wp_is_comment_flood', '__return_false', 99);
remove_all_filters('check_comment_flood');
add_filter('pre_option_comment_moderation', '__return_zero');
add_filter('pre_option_comment_previously_approved', '__return_zero');
add_filter('pre_wp_mail', '__return_true');
`;

async function start(folder: string): Promise<RunningSite> {
  const database = await startMariaDb(join(folder, 'database'));
  const root = join(folder, 'site');
  await cp(ROOT, root, { recursive: true, dereference: true });
  await writeFile(
    join(root, 'wp-config.php'),
    `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:${database.socket}');
define('DB_CHARSET', 'utf8mb4'); define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true); define('AUTOMATIC_UPDATER_DISABLED', true);
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $key) define($key, 'practice ' . $key);
$table_prefix = 'wp_';
define('WP_CONTENT_DIR', __DIR__ . '/wp-content');
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`,
  );
  await mkdir(join(root, 'wp-content', 'mu-plugins'), { recursive: true });
  await writeFile(join(root, 'wp-content', 'mu-plugins', 'practice.php'), PLUGIN);
  const php = await startPhp(join(folder, 'php'), { root, locations: 'location / { try_files $uri $uri/ /index.php?$args; }' });
  const accounts = drawnAccounts(12);
  const address = php.url.slice(0, -1);
  const create = accounts.map(
    ({ user, password }) => `wp_insert_user(['user_login' => '${user}', 'user_pass' => '${password}', 'role' => 'subscriber']);`,
  );
  await writeFile(
    join(folder, 'install.php'),
    `<?php
define('WP_INSTALLING', true); define('WP_SITEURL', '${address}'); define('WP_HOME', '${address}'); $_SERVER['HTTP_HOST'] = parse_url('${address}', PHP_URL_HOST);
require '${root}/wp-config.php'; require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Practice blog', 'siteadmin', 'admin@example.org', false, '', 'practice-admin-password');
update_option('siteurl', '${address}'); update_option('home', '${address}'); update_option('permalink_structure', '');
${create.join('\n')}
`,
  );
  try {
    await perform('php', [join(folder, 'install.php')]);
  } catch (error) {
    await php.close();
    await database.close();
    throw error;
  }
  return {
    url: php.url,
    accounts,
    walk: async (page, { user, password }) => {
      await page.goto(`${php.url}wp-login.php`);
      await page.locator('#user_login').fill(user);
      await page.locator('#user_pass').fill(password);
      await page.locator('#wp-submit').click();
      await page.waitForURL(/wp-admin/);
      await page.goto(`${php.url}?s=hello`);
      await page.goto(`${php.url}?p=1`);
      await page.locator('#comment').fill('Thank you for this post.');
      await page.locator('#submit').click();
      await page.waitForURL(/comment-/);
      await page.goto(`${php.url}?p=1`);
      await page.getByRole('link', { name: 'Log out?' }).click();
      await page.waitForURL(/loggedout|p=1|hello-world/);
    },
    stored: async () => Number(await database.ask('select count(*) from wp_comments')),
    close: async () => {
      await php.close();
      await database.close();
    },
  };
}

async function startMariaDb(folder: string): Promise<{ socket: string; ask(query: string): Promise<string>; close(): Promise<void> }> {
  await mkdir(folder, { recursive: true });
  const socket = join(folder, 'db.sock');
  const data = join(folder, 'data');
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  await perform('mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...user,
  ]);
  const parameters = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${socket}`,
    '--skip-networking',
    `--pid-file=${join(folder, 'pid')}`,
    ...user,
  ];
  const child = spawn(SERVER, parameters, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const ask = (query: string, ...more: string[]): Promise<string> =>
    perform('mariadb', [
      '--no-defaults',
      `--socket=${socket}`,
      '--user=root',
      '--batch',
      '--skip-column-names',
      ...more,
      '--execute',
      query,
    ]);
  for (let tries = 0; ; tries += 1) {
    try {
      await ask('create database if not exists wordpress');
      break;
    } catch (error) {
      if (tries >= TRIES || child.exitCode !== null) throw error;
      await delay(100);
    }
  }
  return {
    socket,
    ask: (query) => ask(query, 'wordpress'),
    close: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
