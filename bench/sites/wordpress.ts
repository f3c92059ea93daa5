import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { MARIADB, startMariaDb } from './mariaDb.ts';
import { startPhp } from './phpSite.ts';
import { perform } from './programs.ts';
import { type Account, drawnAccounts, type RunningSite, type Site } from './site.ts';

const ROOT = '/usr/share/wordpress';

/** A blog over MariaDB. Users comment and write; the pause between comments and the rejection of duplicates are off, as on a test copy. */
export const wordpress: Site = {
  id: 'wordpress',
  title: 'WordPress',
  needs: {
    files: [`${ROOT}/wp-login.php`, MARIADB, `${ROOT}/wp-content/themes/twentytwentythree`],
    install: 'apt-get install --yes wordpress wordpress-theme-twentytwentythree mariadb-server php-fpm php-mysql nginx',
  },
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
  const accounts = drawnAccounts();
  const address = php.url.slice(0, -1);
  const create = accounts.map(
    ({ user, password }) =>
      `wp_insert_user(['user_login' => '${user}', 'user_pass' => '${password}', 'user_email' => '${user}@example.org', 'role' => 'author']);`,
  );
  await writeFile(
    join(folder, 'install.php'),
    `<?php
define('WP_INSTALLING', true); define('WP_SITEURL', '${address}'); define('WP_HOME', '${address}'); $_SERVER['HTTP_HOST'] = parse_url('${address}', PHP_URL_HOST);
require '${root}/wp-config.php'; require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Practice blog', 'siteadmin', 'admin@example.org', false, '', 'practice-admin-password');
update_option('siteurl', '${address}'); update_option('home', '${address}'); update_option('permalink_structure', '/%postname%/'); delete_option('rewrite_rules');
${create.join('\n')}
foreach (get_users() as $user) update_user_meta($user->ID, 'wp_persisted_preferences', ['core/edit-post' => ['welcomeGuide' => false, 'isComplementaryAreaVisible' => true], '_modified' => '2026-01-01T00:00:00.000Z']);
update_site_option('can_compress_scripts', 0);
`,
  );
  try {
    await perform('php', [join(folder, 'install.php')]);
    // WordPress keeps only the latest profile, so a trigger records each change as a row.
    await database.ask('create table changed_profiles (id bigint auto_increment primary key)');
    await database.ask(
      "create trigger profiles after update on wp_usermeta for each row insert into changed_profiles select null from dual where new.meta_key = 'description' and not (new.meta_value <=> old.meta_value)",
    );
  } catch (error) {
    await php.close();
    await database.close();
    throw error;
  }
  const blog = php.url;
  const count = async (...queries: string[]): Promise<number> => {
    const counts = await Promise.all(queries.map((query) => database.ask(query)));
    return counts.reduce((sum, text) => sum + Number(text), 0);
  };
  return {
    url: blog,
    accounts,
    close: async () => {
      await php.close();
      await database.close();
    },
    journeys: [
      {
        id: 'reader',
        walk: async (page, account, word) => {
          await logIn(page, blog, account);
          await page.goto(`${blog}?s=hello`);
          await page.goto(`${blog}?p=1`);
          await page.locator('#comment').fill(`Thank you for this post. ${word}`);
          await page.locator('#submit').click();
          await page.waitForURL(/comment-/);
          await page.goto(`${blog}?p=1`);
          await page.getByRole('link', { name: 'Log out?' }).click();
          await page.waitForURL(/loggedout|hello-world/);
        },
        writes: ({ path = '' }) => path.includes('wp-comments-post.php'),
        stored: () => count('select count(*) from wp_comments'),
      },
      {
        id: 'author',
        walk: async (page, account, word) => {
          await logIn(page, blog, account);
          await page.goto(`${blog}wp-admin/edit.php?s=hello&post_type=post`);
          await page.goto(`${blog}wp-admin/post-new.php`);
          await page.getByRole('textbox', { name: 'Add title' }).fill(`Lesson ${word}`);
          await page.keyboard.press('Enter');
          await page.keyboard.type('Bring a calculator.');
          await page.getByRole('button', { name: 'Publish', exact: true }).click();
          await page.getByRole('region', { name: 'Editor publish' }).getByRole('button', { name: 'Publish', exact: true }).click();
          await page.getByRole('region', { name: 'Editor publish' }).getByRole('link', { name: 'View Post', exact: true }).click();
          await page.waitForURL(/lesson-/);
          await logOut(page);
        },
        writes: ({ method, json, body }) => method === 'POST' && JSON.stringify(json ?? body ?? '').includes('publish'),
        stored: () => count("select count(*) from wp_posts where post_type = 'post' and post_status = 'publish'"),
      },
      {
        id: 'member',
        walk: async (page, account, word) => {
          await logIn(page, blog, account);
          await page.goto(`${blog}?s=hello`);
          await page.goto(`${blog}wp-admin/profile.php`);
          await page.locator('#description').fill(`I teach lesson ${word}.`);
          await page.locator('#submit').click();
          await page.getByText('Profile updated.').waitFor();
          await page.goto(`${blog}wp-admin/`);
          await page.locator('#quick-press #title').fill(`Draft ${word}`);
          await page.locator('#quick-press #content').fill('To be discussed.');
          await page.locator('#quick-press #save-post').click();
          await page.locator('.drafts').getByText(`Draft ${word}`).waitFor();
          await logOut(page);
        },
        writes: ({ method, path = '', form = {} }) =>
          method === 'POST' && (path.includes('profile.php') || form['action'] === 'post-quickdraft-save'),
        stored: () =>
          count(
            "select count(*) from wp_posts where post_type = 'post' and post_status = 'draft'",
            'select count(*) from changed_profiles',
          ),
      },
    ],
  };
}

async function logIn(page: Page, blog: string, { user, password }: Account): Promise<void> {
  await page.goto(`${blog}wp-login.php`);
  await page.locator('#user_login').fill(user);
  await page.locator('#user_pass').fill(password);
  await page.locator('#wp-submit').click();
  await page.waitForURL(/wp-admin/);
  await page.waitForLoadState('networkidle');
}

async function logOut(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('#wp-admin-bar-my-account').hover();
  await page.locator('#wp-admin-bar-logout a').click();
  await page.waitForURL(/loggedout/);
}
