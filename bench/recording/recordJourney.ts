import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { browserFlags, installedBrowser } from '#tools/check/browser.ts';
import type { Person } from './application.ts';

interface Recorded {
  readonly har: unknown;
}

interface Account {
  readonly userName: string;
  readonly password: string;
  /** Whether the server requires HTTP Basic authentication. */
  readonly isBasic: boolean;
}

/** Records a scripted journey with its actions in a real browser. The recording does not contain the password. */
export async function recordJourney(url: string, who: Account, journey: (person: Person) => Promise<void>): Promise<Recorded> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-recording-'));
  const executablePath = installedBrowser();
  const browser = await chromium.launch({ args: [...browserFlags], ...(executablePath ? { executablePath } : {}) });
  const actions: { kind: string; atMs: number; text: string; role: string; title: string; url: string }[] = [];
  const uploads: object[][] = [];
  try {
    const path = join(folder, 'recording.har');
    const context = await browser.newContext({
      locale: 'en-GB',
      recordHar: { path, content: 'embed', mode: 'full' },
      ...(who.isBasic
        ? { extraHTTPHeaders: { Authorization: `Basic ${Buffer.from(`${who.userName}:${who.password}`).toString('base64')}` } }
        : {}),
    });
    const page = await context.newPage();
    const waitUntilIdle = async (): Promise<void> => {
      await page.waitForLoadState('load');
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(60);
      const last = actions.at(-1);
      if (last !== undefined) last.title = await page.title();
    };
    const did: Person['did'] = (kind, text, role = 'page') =>
      void actions.push({ kind, atMs: Date.now(), text, role, title: '', url: page.url() });
    await journey({
      page,
      url,
      userName: who.userName,
      password: who.password,
      did,
      uploaded: (params) => void uploads.push(params),
      open: async (address) => {
        did('open', address);
        await page.goto(new URL(address, url).href);
        await waitUntilIdle();
      },
      click: async (role, name) => {
        did('click', name, role);
        await page.getByRole(role, { name, exact: true }).first().click();
        await waitUntilIdle();
      },
      fill: (label, text) => page.getByLabel(label).fill(text),
    });
    await context.close();
    return { har: withActions(withoutPassword(await readFile(path, 'utf8'), who), actions, uploads) };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const MARK = '{{holdfast-password-1}}';

function withoutPassword(text: string, { userName, password }: Account): string {
  const login = Buffer.from(`${userName}:${password}`).toString('base64');
  return text.replaceAll(login, MARK).replaceAll(password, MARK).replaceAll(encodeURIComponent(password), MARK);
}

function withActions(text: string, actions: readonly { atMs: number }[], uploads: object[][]): unknown {
  const { log }: { log: { entries: WrittenEntry[] } } = JSON.parse(text);
  const entries = log.entries.map((entry) => {
    const type = entry.request.headers.find(({ name }) => /^content-type$/i.test(name))?.value ?? '';
    // A browser does not report the contents of forms with files. Here they are taken from the script, as a recorder takes them from the
    // page.
    const hasNoContents = type.includes('multipart') && (entry.request.postData?.text ?? '') === '';
    const request = hasNoContents ? { ...entry.request, postData: { mimeType: type, params: uploads.shift() ?? [] } } : entry.request;
    const before = actions.findLastIndex(({ atMs }) => atMs <= Date.parse(entry.startedDateTime) + 5);
    return { ...entry, request, _action: Math.max(0, before) };
  });
  return { log: { ...log, _actions: actions, entries } };
}

interface WrittenEntry {
  readonly startedDateTime: string;
  readonly request: {
    readonly headers: { name: string; value: string }[];
    postData?: { mimeType: string; text?: string; params?: object[] };
  };
}
