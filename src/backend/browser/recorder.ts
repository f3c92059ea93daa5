import type { BrowserContext, Page, Request, Response } from 'playwright-core';
import { type RecordedAction, Actions } from './actions.ts';
import { findBrowser, isBrowserNamed } from './findBrowser.ts';
import { openBrowser, type OpenedBrowser } from './openBrowser.ts';
import { openOwnWindow, type WindowCommand } from './ownWindow.ts';
import { Passwords, type RecordedAccount } from './passwords.ts';
import { PERSON_BINDING, PERSON_SCRIPT, type PersonMessage, personMessageSchema } from './personScript.ts';
import { cleanedEntry, type RecordedEntry } from './recordedEntry.ts';
import { HttpLogins } from './httpLogins.ts';
import { type Challenge, watchByDevtools } from './pageDevtools.ts';
import { followSocket } from './socket.ts';
import { Traffic } from './traffic.ts';

export interface RecorderOptions {
  /** Where it begins; a name and a password in it are for the login by HTTP. */
  readonly url: string;
  readonly headless: boolean;
  /** Whether certificates are checked. */
  readonly verify: boolean;
  /** Written into the recording. */
  readonly version: string;
  /** The program of the browser. */
  readonly program?: string;
  /** Where the app has a window of its own, that is taken before an installed browser; a browser that is named goes before both. */
  readonly ownWindow?: WindowCommand | undefined;
  /** Something has been done or sent, or the state is another one. */
  readonly onChange?: () => void;
  /** A password that must get nowhere is known from here on. */
  readonly onPassword?: (password: string) => void;
}

/** What the person has been seen doing, with what was sent because of it. */
export interface SeenAction extends RecordedAction {
  readonly requests: readonly SeenRequest[];
}

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** 0: no response. */
  readonly status: number;
  readonly type: string;
  readonly bytes: number;
}

export interface Recording {
  /** HAR 1.2 with what the person did in `_actions`; without any password. */
  readonly har: { readonly log: Readonly<Record<string, unknown>> & { readonly entries: readonly RecordedEntry[] } };
  /** The passwords. */
  readonly accounts: readonly RecordedAccount[];
  readonly dropped: Dropped;
}

/** What did not fit. */
export interface Dropped {
  readonly requests: number;
  readonly bodies: number;
  readonly actions: number;
}

/** A browser window whose requests are recorded together with what the person does in it. */
export class Recorder {
  /** Of the browser; for tests, which walk in it as a person would. */
  readonly context: BrowserContext;
  /** Settles when the person has closed the browser, or it has ended by itself. */
  readonly closed: Promise<void>;
  private readonly options: RecorderOptions;
  private readonly browser: OpenedBrowser;
  private readonly actions = new Actions();
  private readonly passwords: Passwords;
  private readonly logins = new HttpLogins();
  private readonly traffic: Traffic;
  private readonly tabs = new Map<Page, number>();
  private readonly arrivals = new Set<Page>();
  /** Tabs whose next document nobody has asked for. */
  private readonly comesByItself = new Set<Page>();
  private readonly startedMs = Date.now();
  private isPaused = false;
  private isOver = false;

  private constructor(browser: OpenedBrowser, options: RecorderOptions) {
    this.browser = browser;
    this.context = browser.context;
    this.options = options;
    this.passwords = new Passwords((password) => {
      options.onPassword?.(password);
      this.traffic.cleanAgain();
    });
    this.traffic = new Traffic(
      this.passwords,
      this.logins,
      (page) => (page === null ? 1 : this.tabOf(page)),
      () => this.changed(),
    );
    this.closed = new Promise((resolve) => {
      this.context.once('close', () => resolve());
      // The last tab is the window, for the person who closes it.
      this.context.on('page', (page) => page.once('close', () => this.context.pages().length === 0 && resolve()));
      for (const page of this.context.pages()) page.once('close', () => this.context.pages().length === 0 && resolve());
    });
  }

  /** Opens the window on the address. Throws `NO_BROWSER`, `NO_DISPLAY`, `BROWSER_FAILED`; a page that cannot be had is shown by the browser. */
  static async open(options: RecorderOptions): Promise<Recorder> {
    const browser = await openWindow(options);
    const recorder = new Recorder(browser, options);
    try {
      await recorder.begin();
    } catch (thrown) {
      await browser.close();
      throw thrown;
    }
    return recorder;
  }

  private async begin(): Promise<void> {
    const { context } = this;
    await context.exposeBinding(PERSON_BINDING, ({ page }, message: unknown) => {
      const parsed = personMessageSchema.safeParse(message);
      if (parsed.success) this.told(page, parsed.data);
    });
    await context.addInitScript(PERSON_SCRIPT);
    context.on('request', (request) => this.isRecording && this.traffic.began(request));
    context.on('response', (response: Response) => this.traffic.responded(response));
    context.on('requestfinished', (request: Request) => this.traffic.finished(request));
    context.on('requestfailed', (request: Request) => this.traffic.finished(request));
    context.on('page', (page) => void this.opened(page));
    const [page] = context.pages();
    if (page === undefined) throw new Error('The browser has no tab.');
    await this.opened(page);
    const { url, login } = this.logins.takeFrom(this.options.url);
    if (login !== null) this.learnLogin(login);
    const { host, pathname } = new URL(url);
    this.actions.add(this.tabOf(page), { kind: 'open', atMs: Date.now(), text: host + pathname, role: 'page', url: '' });
    this.changed();
    // What cannot be reached the browser shows by itself, and the person enters another address.
    void page.goto(this.options.url, { waitUntil: 'commit', timeout: 0 }).catch(() => {});
  }

  get state(): 'recording' | 'paused' | 'ended' {
    if (this.isOver) return 'ended';
    return this.isPaused ? 'paused' : 'recording';
  }

  private get isRecording(): boolean {
    return !this.isPaused && !this.isOver;
  }

  pause(): void {
    this.isPaused = true;
    this.changed();
  }

  resume(): void {
    this.isPaused = false;
    this.changed();
  }

  /** A remark at this place, such as what begins here. */
  mark(text: string): void {
    this.actions.mark(text, Date.now());
    this.changed();
  }

  /** Takes the last action back, with what was sent because of it. The window stays where it is, and so does the server. */
  undo(): void {
    this.actions.undo(Date.now());
    this.changed();
  }

  get dropped(): Dropped {
    return { ...this.traffic.dropped, actions: this.actions.dropped };
  }

  /** The actions until now, the newest last. */
  seen(): SeenAction[] {
    const requests = this.actions.list.map((): SeenRequest[] => []);
    for (const { entry, cause } of this.caused()) {
      const { request, response, _resourceType: type } = entry;
      requests[cause ?? 0]?.push({
        method: request.method,
        url: request.url,
        status: response.status,
        type,
        bytes: response.content.size,
      });
    }
    return this.actions
      .written((text) => this.passwords.cleanSent(text))
      .map((action, index) => ({ ...action, requests: requests[index] ?? [] }));
  }

  /** Closes the window and gives what was recorded. */
  async finish(): Promise<Recording> {
    this.isOver = true;
    await this.traffic.settled();
    await this.browser.close();
    const clean = (text: string): string => this.passwords.cleanSent(text);
    const entries = this.caused().map(({ entry, cause }) => ({
      ...cleanedEntry(entry, this.passwords),
      ...(cause === null ? {} : { _action: cause }),
    }));
    const pages = [...this.tabs.values()].map((tab) => ({
      id: `tab_${tab}`,
      title: '',
      startedDateTime: entries.find(({ pageref }) => pageref === `tab_${tab}`)?.startedDateTime ?? new Date(this.startedMs).toISOString(),
      pageTimings: {},
    }));
    const log = {
      version: '1.2',
      creator: { name: 'Holdfast', version: this.options.version },
      pages,
      entries,
      _actions: this.actions.written(clean),
    };
    return { har: { log }, accounts: this.passwords.accounts, dropped: this.dropped };
  }

  /** Closes the window; nothing is kept. */
  async cancel(): Promise<void> {
    this.isOver = true;
    await this.browser.close();
  }

  private caused(): { readonly entry: RecordedEntry; readonly cause: number | null }[] {
    return this.traffic.entries().flatMap(({ entry, tab, startMs }) => {
      const cause = this.actions.causeOf(tab, startMs);
      return cause === 'undone' ? [] : [{ entry, cause }];
    });
  }

  private tabOf(page: Page): number {
    const known = this.tabs.get(page);
    if (known !== undefined) return known;
    this.tabs.set(page, this.tabs.size + 1);
    return this.tabs.size;
  }

  private async opened(page: Page): Promise<void> {
    if (this.tabs.has(page)) return;
    const atMs = Date.now();
    const tab = this.tabOf(page);
    const watch = (place: Parameters<typeof watchByDevtools>[1]): Promise<void> =>
      watchByDevtools(this.context, place, {
        onRequest: (told) => this.isRecording && this.traffic.tell(told),
        onEvent: (url) => this.traffic.event(url),
        onHandshake: (url, headers) => this.traffic.handshake(url, headers),
        onChallenge: (challenge) => {
          const login = this.logins.answer(challenge);
          if (login === null) void this.askLogin(page, challenge).catch(() => {});
          return login;
        },
      }).catch(() => {});
    const watched = watch(page);
    // Frames of this site have no connection of their own, and say so.
    page.on('framenavigated', (frame) => frame !== page.mainFrame() && void watch(frame));
    page.on('websocket', (webSocket) => {
      if (!this.isRecording) return;
      this.traffic.socket(
        followSocket(webSocket, () => this.changed()),
        tab,
      );
    });
    this.browser.onDownload(page, ({ url, name }) => {
      this.act(page, { kind: 'download', atMs: Date.now(), text: name, role: 'page', url: page.url() });
      if (this.isRecording) this.traffic.downloaded(url, tab);
    });
    const opener = await page.opener().catch(() => null);
    await watched;
    if (opener !== null && this.isRecording) this.actions.openTab(tab, this.tabOf(opener), atMs, opener.url());
    this.changed();
  }

  /** The tab shows a form in place of the refusal, and then asks again. */
  private async askLogin(page: Page, challenge: Challenge): Promise<void> {
    await this.logins.ask(page, challenge);
    const login = this.logins.answer({ ...challenge, isRepeated: false });
    if (login === null) return;
    this.learnLogin(login);
    this.traffic.dropRefused(challenge.url);
    this.comesByItself.add(page);
    await page.goto(challenge.url, { waitUntil: 'commit', timeout: 0 });
  }

  private learnLogin({ username, password }: { readonly username: string; readonly password: string }): void {
    this.passwords.learn({ password, userName: username, userField: '', passwordField: '' });
  }

  private act(page: Page, action: Omit<RecordedAction, 'title'>): void {
    if (this.isRecording) this.actions.add(this.tabOf(page), action);
    this.changed();
  }

  private told(page: Page, message: PersonMessage): void {
    switch (message.kind) {
      case 'password': {
        const { isWhole, value, ...fields } = message;
        if (isWhole) this.passwords.learn({ password: value, ...fields });
        else this.passwords.learnBeginning(value);
        return;
      }
      case 'files':
        for (const { name, size } of message.files) this.traffic.fileSizes.set(name, size);
        return this.act(page, { kind: 'upload', atMs: message.atMs, text: message.text, role: 'field', url: message.url });
      case 'title':
        this.actions.titled(this.tabOf(page), message.title);
        return this.changed();
      case 'arrived':
        return void this.arrived(page, message);
      case 'click':
      case 'submit':
      case 'choose':
        return this.act(page, message);
      default:
        message satisfies never;
    }
  }

  /** A document that came without a click: the person went back, asked again, or entered an address. */
  private async arrived(page: Page, { atMs, how, url }: Extract<PersonMessage, { kind: 'arrived' }>): Promise<void> {
    const isFirst = !this.arrivals.has(page);
    this.arrivals.add(page);
    if (this.comesByItself.delete(page)) return;
    const role = 'page';
    if (how === 'back_forward') return this.act(page, { kind: 'back', atMs, text: '', role, url });
    if (how === 'reload') return this.act(page, { kind: 'reload', atMs, text: '', role, url });
    // Nothing of a page leads to it, so it was entered. Only browsers with a safe connection, or to this computer, say so.
    const opener = await page.opener().catch(() => null);
    if ((isFirst && (opener !== null || this.tabOf(page) === 1)) || !(await this.traffic.wasEntered(url))) return;
    const { host, pathname } = new URL(url);
    this.act(page, { kind: 'open', atMs, text: host + pathname, role, url });
  }

  private changed(): void {
    this.options.onChange?.();
  }
}

/** In the desktop app nobody needs an installed browser. */
async function openWindow({ program, ownWindow, headless, verify }: RecorderOptions): Promise<OpenedBrowser> {
  if (program === undefined && ownWindow !== undefined && !isBrowserNamed()) return openOwnWindow(ownWindow, { verify });
  return openBrowser({ program: program ?? findBrowser('record'), headless, verify });
}
