import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { perform } from './programs.ts';
import { askSqlite, installPython, startPython } from './pythonSite.ts';
import { type Account, drawnAccounts, type Journey, journeysOf, type RunningSite, type Site } from './site.ts';

const PACKAGES = ['django==5.2.8'];

/** The administration of a Django project: users enter notes. */
export const djangoAdmin: Site = {
  id: 'django-admin',
  title: 'Django admin',
  needs: { files: [], install: 'apt-get install --yes python3-venv' },
  start,
};

const SETTINGS = `
SECRET_KEY = 'practice'
DEBUG = False
ALLOWED_HOSTS = ['127.0.0.1']
INSTALLED_APPS = ['django.contrib.admin', 'django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions', 'django.contrib.messages', 'django.contrib.staticfiles', 'notes']
MIDDLEWARE = ['django.middleware.security.SecurityMiddleware', 'whitenoise.middleware.WhiteNoiseMiddleware', 'django.contrib.sessions.middleware.SessionMiddleware', 'django.middleware.common.CommonMiddleware', 'django.middleware.csrf.CsrfViewMiddleware', 'django.contrib.auth.middleware.AuthenticationMiddleware', 'django.contrib.messages.middleware.MessageMiddleware']
ROOT_URLCONF = 'urls'
TEMPLATES = [{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True, 'OPTIONS': {'context_processors': ['django.template.context_processors.request', 'django.contrib.auth.context_processors.auth', 'django.contrib.messages.context_processors.messages']}}]
DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': 'notes.sqlite', 'OPTIONS': {'timeout': 30, 'transaction_mode': 'IMMEDIATE', 'init_command': 'PRAGMA journal_mode=WAL;'}}}
STATIC_URL = '/static/'
WHITENOISE_USE_FINDERS = True
DEFAULT_AUTO_FIELD = 'django.db.models.BigAutoField'
USE_TZ = True
`;
const MODELS = `
from django.db import models
class Note(models.Model):
    title = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    def __str__(self):
        return self.title
`;
const ADMIN = `
from django.contrib import admin
from .models import Note
@admin.register(Note)
class NoteAdmin(admin.ModelAdmin):
    search_fields = ['title', 'text']
`;
const URLS = `
from django.contrib import admin
from django.urls import path
urlpatterns = [path('admin/', admin.site.urls)]
`;
const WSGI = `
import os
os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'settings')
from django.core.wsgi import get_wsgi_application
application = get_wsgi_application()
`;

async function start(folder: string): Promise<RunningSite> {
  const project = join(folder, 'project');
  const database = join(project, 'notes.sqlite');
  await mkdir(join(project, 'notes', 'migrations'), { recursive: true });
  const files = {
    'settings.py': SETTINGS.replace("'notes.sqlite'", JSON.stringify(database)),
    'urls.py': URLS,
    'wsgi.py': WSGI,
    'notes/__init__.py': '',
    'notes/migrations/__init__.py': '',
    'notes/models.py': MODELS,
    'notes/admin.py': ADMIN,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  const python = await installPython(folder, PACKAGES);
  const accounts = drawnAccounts();
  const environment = { DJANGO_SETTINGS_MODULE: 'settings', PYTHONPATH: project };
  const manage = (...parameters: string[]): Promise<string> => perform(python, ['-m', 'django', ...parameters], environment);
  await manage('makemigrations', 'notes');
  await manage('migrate');
  const create = accounts.flatMap(({ user, password }) => [
    `User.objects.create_superuser('${user}', '', '${password}')`,
    `Note.objects.create(title='Notes of ${user}')`,
  ]);
  await manage('shell', '-c', ['from django.contrib.auth.models import User', 'from notes.models import Note', ...create].join('\n'));
  const { url: root, close } = await startPython({ python, project, application: 'wsgi:application', environment });
  const url = `${root}admin/`;
  const stored = (): Promise<number> => askSqlite(python, database, 'select count(*) from django_admin_log');
  const writes: Journey['writes'] = ({ method, path = '' }) => method === 'POST' && path.includes('/notes/note/');
  const notes = `${url}notes/note/`;
  return {
    url,
    accounts,
    close,
    journeys: journeysOf(
      {
        author: async (page, account, word) => {
          await logIn(page, url, account);
          await find(page, 'lesson');
          await page.goto(`${notes}add/`);
          await page.getByLabel('Title:').fill(`Lesson ${word}`);
          await page.getByLabel('Text:').fill('Bring a calculator.');
          await save(page, 'Save');
          await page.waitForURL(/notes\/note\/$/);
          await logOut(page);
        },
        editor: async (page, account, word) => {
          await logIn(page, url, account);
          await find(page, `Notes of ${account.user}`);
          await page.getByRole('link', { name: `Notes of ${account.user}`, exact: true }).click();
          await page.getByLabel('Text:').fill(`Lesson ${word} is on Monday.`);
          await save(page, 'Save');
          await page.waitForURL(/notes\/note\/($|\?)/);
          await logOut(page);
        },
        member: async (page, account, word) => {
          await logIn(page, url, account);
          await find(page, 'notes');
          await page.goto(`${notes}add/`);
          await page.getByLabel('Title:').fill(`Draft ${word}`);
          await save(page, 'Save and continue editing');
          await page.waitForURL(/\/change\/$/);
          await page.getByLabel('Text:').fill('To be discussed.');
          await save(page, 'Save and continue editing');
          await page.getByText('was changed successfully').waitFor();
          await page.getByRole('link', { name: 'Delete' }).click();
          await save(page, 'Yes, I’m sure');
          await page.waitForURL(/notes\/note\/($|\?)/);
          await logOut(page);
        },
      },
      { writes, stored },
    ),
  };
}

async function logIn(page: Page, url: string, { user, password }: Account): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Username:').fill(user);
  await page.getByLabel('Password:').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Notes', exact: true }).and(page.locator('[href$="/note/"]')).first().click();
}

async function find(page: Page, words: string): Promise<void> {
  await page.locator('#searchbar').fill(words);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/[?&]q=/);
}

async function save(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('Logged out').first().waitFor();
}
