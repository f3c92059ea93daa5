import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { perform } from './programs.ts';
import { askSqlite, installPython, startPython } from './pythonSite.ts';
import { type Account, drawnAccounts, type Journey, journeysOf, type RunningSite, type Site } from './site.ts';

const PACKAGES = ['wagtail==8.0.1'];

/** A content management system over SQLite: users write and publish pages below the start page. */
export const wagtail: Site = {
  id: 'wagtail',
  title: 'Wagtail',
  needs: { files: [], install: 'apt-get install --yes python3-venv' },
  start,
};

const SETTINGS = `
from .base import *
SECRET_KEY = 'practice'
DEBUG = False
ALLOWED_HOSTS = ['127.0.0.1']
MIDDLEWARE.insert(1, 'whitenoise.middleware.WhiteNoiseMiddleware')
WHITENOISE_USE_FINDERS = True
DATABASES['default']['OPTIONS'] = {'timeout': 30, 'transaction_mode': 'IMMEDIATE', 'init_command': 'PRAGMA journal_mode=WAL;'}
EMAIL_BACKEND = 'django.core.mail.backends.dummy.EmailBackend'
WAGTAIL_ENABLE_UPDATE_CHECK = False
WAGTAIL_ENABLE_WHATS_NEW_BANNER = False
WAGTAIL_GRAVATAR_PROVIDER_URL = None
WAGTAIL_AUTOSAVE_INTERVAL = 0
`;
const MODELS = `
from wagtail.admin.panels import FieldPanel
from wagtail.blocks import TextBlock
from wagtail.fields import RichTextField, StreamField
from wagtail.models import Page
from wagtail.search import index
class HomePage(Page):
    pass
class LessonPage(Page):
    body = RichTextField(blank=True)
    parts = StreamField([('paragraph', TextBlock())], blank=True)
    content_panels = Page.content_panels + [FieldPanel('body'), FieldPanel('parts')]
    search_fields = Page.search_fields + [index.SearchField('body')]
`;
const TEMPLATE = `{% extends "base.html" %}{% load wagtailcore_tags %}
{% block content %}<h1>{{ page.title }}</h1>{{ page.body|richtext }}{% endblock %}
`;

async function start(folder: string): Promise<RunningSite> {
  const python = await installPython(folder, PACKAGES);
  const project = join(folder, 'project');
  await mkdir(project);
  await perform(join(folder, 'venv', 'bin', 'wagtail'), ['start', 'practice', project]);
  await writeFile(join(project, 'practice', 'settings', 'test.py'), SETTINGS);
  await writeFile(join(project, 'home', 'models.py'), MODELS);
  await writeFile(join(project, 'home', 'templates', 'home', 'lesson_page.html'), TEMPLATE);
  const environment = { DJANGO_SETTINGS_MODULE: 'practice.settings.test', PYTHONPATH: project };
  const manage = (...parameters: string[]): Promise<string> => perform(python, ['-m', 'django', ...parameters], environment);
  await manage('makemigrations', 'home');
  await manage('migrate');
  const accounts = drawnAccounts();
  const create = accounts.map(({ user, password }) => `add('${user}', '${password}')`);
  await manage(
    'shell',
    '-c',
    `from django.contrib.auth.models import Group, User
from home.models import HomePage, LessonPage
home = HomePage.objects.get()
def add(name, password):
    user = User.objects.create_user(name, name + '@example.org', password)
    user.groups.add(Group.objects.get(name='Moderators'))
    page = home.add_child(instance=LessonPage(title='Lessons of ' + name, slug=name, body='<p>None.</p>'))
    page.save_revision(user=user).publish()
${create.join('\n')}`,
  );
  const { url, close } = await startPython({ python, project, application: 'practice.wsgi:application', environment });
  const database = join(project, 'db.sqlite3');
  const admin = `${url}admin/`;
  const home = await askSqlite(python, database, "select id from wagtailcore_page where slug = 'home'");
  const add = `${admin}pages/add/home/lessonpage/${home}/`;
  const stored = (): Promise<number> => askSqlite(python, database, 'select count(*) from wagtailcore_revision');
  const writes: Journey['writes'] = ({ method, path = '' }) => method === 'POST' && /^\/admin\/pages\/(add\/.*|[^/]*\/edit)\/$/.test(path);
  return {
    url,
    accounts,
    close,
    journeys: journeysOf(
      {
        author: async (page, account, word) => {
          await logIn(page, admin, account);
          await page.goto(`${admin}pages/search/?q=lessons`);
          await page.goto(add);
          await write(page, `Lesson ${word}`, 'Bring a calculator.');
          await addBlock(page, 'Bring a ruler, too.');
          await publish(page);
          await page.goto(`${url}lesson-${word}/`);
          await logOut(page, admin);
        },
        editor: async (page, account, word) => {
          await logIn(page, admin, account);
          await page.goto(`${url}${account.user}/`);
          await page.goto(`${admin}pages/search/?q=${account.user}`);
          await page
            .getByRole('link', { name: `Lessons of ${account.user}`, exact: true })
            .first()
            .click();
          await write(page, null, `The next one is ${word}.`);
          await publish(page);
          await logOut(page, admin);
        },
        member: async (page, account, word) => {
          await logIn(page, admin, account);
          await page.goto(`${url}search/?query=lessons`);
          await page.goto(add);
          await write(page, `Draft ${word}`, 'To be discussed.');
          await page.getByRole('button', { name: 'Save draft' }).click();
          await page.waitForURL(/\/edit\/$/);
          await write(page, null, 'It was discussed.');
          await publish(page);
          await logOut(page, admin);
        },
      },
      { writes, stored },
    ),
  };
}

async function logIn(page: Page, admin: string, { user, password }: Account): Promise<void> {
  await page.goto(admin);
  await page.getByLabel('Username').fill(user);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(admin);
}

async function write(page: Page, title: string | null, body: string): Promise<void> {
  const editor = page.locator('[data-contentpath=body] [role=textbox]');
  await editor.waitFor();
  if (title !== null) await page.locator('#id_title').fill(title);
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(body);
  await page.waitForTimeout(500);
}

/** Adds a block to a repeated field; the page assigns its number. */
async function addBlock(page: Page, text: string): Promise<void> {
  await page.locator('[data-contentpath=parts] button[title="Insert a block"]').first().click();
  await page.locator('textarea[name="parts-0-value"]').fill(text);
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page
    .locator('.messages .success')
    .getByText(/published/)
    .first()
    .waitFor();
}

async function logOut(page: Page, admin: string): Promise<void> {
  await page.goto(`${admin}account/`);
  await page.locator('.sidebar-footer button').first().click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.waitForURL(/login/);
}
