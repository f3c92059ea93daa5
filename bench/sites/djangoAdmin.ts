import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deadPort } from '#workers/testing/servers.ts';
import { drawnAccounts, perform } from './phpSite.ts';
import type { RunningSite, Site } from './site.ts';

const TRIES = 100;
const PACKAGES = ['django==5.2.8', 'gunicorn==23.0.0', 'whitenoise==6.11.0'];

/** The administration of a Django project: persons enter notes. */
export const djangoAdmin: Site = {
  id: 'django-admin',
  title: 'Django admin',
  needs: { files: [], install: 'apt-get install --yes python3-venv' },
  writes: ({ method, path = '' }) => method === 'POST' && path.includes('/add'),
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
  const python = join(folder, 'venv', 'bin', 'python');
  const project = join(folder, 'project');
  await mkdir(join(project, 'notes', 'migrations'), { recursive: true });
  if (!existsSync(python)) {
    await perform('python3', ['-m', 'venv', join(folder, 'venv')]);
    await perform(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES]);
  }
  const files = {
    'settings.py': SETTINGS,
    'urls.py': URLS,
    'wsgi.py': WSGI,
    'notes/__init__.py': '',
    'notes/migrations/__init__.py': '',
    'notes/models.py': MODELS,
    'notes/admin.py': ADMIN,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  const accounts = drawnAccounts(12);
  const environment = { DJANGO_SETTINGS_MODULE: 'settings', PYTHONPATH: project };
  const database = join(project, 'notes.sqlite');
  await writeFile(join(project, 'settings.py'), SETTINGS.replace("'notes.sqlite'", JSON.stringify(database)));
  const manage = (...parameters: string[]): Promise<string> => perform(python, ['-m', 'django', ...parameters], environment);
  await manage('makemigrations', 'notes');
  await manage('migrate');
  const create = accounts.map(({ user, password }) => `User.objects.create_superuser('${user}', '', '${password}')`);
  await manage('shell', '-c', ['from django.contrib.auth.models import User', ...create].join('\n'));
  const port = await deadPort();
  const child = spawn(
    python,
    ['-m', 'gunicorn', '--bind', `127.0.0.1:${port}`, '--workers', '2', '--threads', '4', '--chdir', project, 'wsgi:application'],
    {
      env: { ...process.env, ...environment },
      stdio: 'ignore',
    },
  );
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}/admin/`;
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await delay(100);
  }
  return {
    url,
    accounts,
    walk: async (page, { user, password }) => {
      await page.goto(url);
      await page.getByLabel('Username:').fill(user);
      await page.getByLabel('Password:').fill(password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('link', { name: 'Notes', exact: true }).and(page.locator('[href$="/note/"]')).first().click();
      await page.locator('#searchbar').fill('lesson');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.goto(`${url}notes/note/add/`);
      await page.getByLabel('Title:').fill('Lesson 12');
      await page.getByLabel('Text:').fill('Bring a calculator.');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(/notes\/note\/$/);
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByText('Logged out').first().waitFor();
    },
    stored: async () =>
      Number(
        await perform(python, [
          '-c',
          `import sqlite3; print(sqlite3.connect(${JSON.stringify(database)}).execute('select count(*) from notes_note').fetchone()[0])`,
        ]),
      ),
    close: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
