import type { BrowserContext } from 'playwright-core';
import { Actions, type RecordedAction } from './actions.ts';
import { findBrowser, isBrowserNamed } from './findBrowser.ts';
import { HttpLogins } from './httpLogins.ts';
import { openBrowser, type OpenedBrowser } from './openBrowser.ts';
import { openRecordingWindow, type WindowCommand } from './ownWindow.ts';
import { Passwords, type RecordedAccount } from './passwords.ts';
import type { RecordedEntry } from './recordedEntry.ts';
import { Tabs } from './tabs.ts';
import { Traffic } from './traffic.ts';

/** A user action with the requests that it caused. */
interface SeenAction extends RecordedAction {
  readonly requests: readonly SeenRequest[];
}

interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** 0 if there was no response. */
  readonly status: number;
  readonly type: string;
  readonly bytes: number;
}

export interface Recording {
  /** HAR 1.2 with the user actions in `_actions`, without passwords. */
  readonly har: { readonly log: Readonly<Record<string, unknown>> & { readonly entries: readonly RecordedEntry[] } };
  /** The accounts with their passwords. */
  readonly accounts: readonly RecordedAccount[];
  readonly dropped: DroppedCounts;
}

/** Numbers of items that exceeded the limits. */
export interface DroppedCounts {
  readonly requests: number;
  readonly bodies: number;
  readonly actions: number;
}

export interface RecorderOptions {
  /** Start address. A user name and password in it are used for the HTTP login. */
  readonly url: string;
  readonly headless: boolean;
  /** Whether certificates are verified. */
  readonly verify: boolean;
  readonly version: string;
  readonly program?: string;
  /**
   * Command that opens a window of the desktop app. The window is used instead of an installed browser, unless the environment names a
   * browser.
   */
  readonly ownWindow?: WindowCommand | undefined;
  /** Called after a new action or request, or a change of state. */
  readonly onChange?: () => void;
  /** Called with each password that must be kept secret. */
  readonly onPassword?: (password: string) => void;
}

/** A browser window whose requests and user actions are recorded. */
export class Recorder {
  /** Lets tests act as the user. */
  readonly context: BrowserContext;
  /** Resolves when the user has closed the browser or the browser has ended. */
  readonly closed: Promise<void>;
  private readonly options: RecorderOptions;
  private readonly browser: OpenedBrowser;
  private readonly actions = new Actions();
  private readonly passwords: Passwords;
  private readonly logins = new HttpLogins();
  private readonly traffic: Traffic;
  private readonly tabs: Tabs;
  private readonly startedMs = Date.now();
  private isPaused = false;
  private isOver = false;

  private constructor(browser: OpenedBrowser, options: RecorderOptions) {
    this.browser = browser;
    this.context = browser.context;
    this.options = options;
    this.passwords = new Passwords(options.onPassword);
    this.traffic = new Traffic(
      this.passwords,
      this.logins,
      (page) => (page === null ? 1 : this.tabs.numberOf(page)),
      () => this.notifyChange(),
    );
    this.tabs = new Tabs({
      browser,
      actions: this.actions,
      passwords: this.passwords,
      logins: this.logins,
      traffic: this.traffic,
      isRecording: () => this.state === 'recording',
      onChange: () => this.notifyChange(),
    });
    this.closed = new Promise((resolve) => {
      this.context.once('close', () => resolve());
      // Closing the last tab closes the window, as the user expects.
      this.context.on('page', (page) => page.once('close', () => this.context.pages().length === 0 && resolve()));
      for (const page of this.context.pages()) page.once('close', () => this.context.pages().length === 0 && resolve());
    });
  }

  /**
   * Opens the window at the address. If the address cannot be loaded, the browser shows its error page. Throws `NO_BROWSER`, `NO_DISPLAY`
   * or `BROWSER_FAILED`.
   */
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
    await this.tabs.listen();
    // Leaves dialogs of the page to the user. Without a listener, Playwright cancels them at once.
    if (!this.options.headless) context.on('dialog', () => {});
    const [page] = context.pages();
    if (page === undefined) throw new Error('The browser has no tab.');
    await this.tabs.onOpened(page);
    const { url, login } = this.logins.takeFrom(this.options.url);
    if (login !== null) this.tabs.learnLogin(login);
    const { host, pathname } = new URL(url);
    this.actions.add(this.tabs.numberOf(page), { kind: 'open', atMs: Date.now(), text: host + pathname, role: 'page', url: '' });
    this.notifyChange();
    // If the address cannot be reached, the browser shows its error page, and the user enters another address.
    void page.goto(this.options.url, { waitUntil: 'commit', timeout: 0 }).catch(() => {});
  }

  get state(): 'recording' | 'paused' | 'ended' {
    if (this.isOver) return 'ended';
    return this.isPaused ? 'paused' : 'recording';
  }

  pause(): void {
    this.isPaused = true;
    this.notifyChange();
  }

  resume(): void {
    this.isPaused = false;
    this.notifyChange();
  }

  /** Adds a remark at this point, such as the start of a section. */
  mark(text: string): void {
    this.actions.mark(text, Date.now());
    this.notifyChange();
  }

  /** Removes the last action with its requests. The window and the server's data stay as they are. */
  undo(): void {
    this.actions.undo(Date.now());
    this.notifyChange();
  }

  get dropped(): DroppedCounts {
    return { ...this.traffic.dropped, actions: this.actions.dropped };
  }

  /** Returns the actions so far, newest last. */
  listSeen(): SeenAction[] {
    const requests = this.actions.list.map((): SeenRequest[] => []);
    for (const { entry, cause } of this.listEntries()) {
      const { request, response, _resourceType: type } = entry;
      requests[cause ?? 0]?.push({
        method: request.method,
        url: this.passwords.cleanSent(request.url),
        status: response.status,
        type,
        bytes: response.content.size,
      });
    }
    return this.actions
      .toRecorded((text) => this.passwords.cleanSent(text))
      .map((action, index) => ({ ...action, requests: requests[index] ?? [] }));
  }

  /** Closes the window and returns the recording. */
  async finish(): Promise<Recording> {
    this.isOver = true;
    await this.traffic.waitForOutstanding();
    await this.browser.close();
    const clean = (text: string): string => this.passwords.cleanSent(text);
    const entries = this.listEntries().map(({ cause, ...ended }) => ({
      ...this.traffic.cleanRecorded(ended),
      ...(cause === null ? {} : { _action: cause }),
    }));
    const pages = this.tabs.list.map((tab) => ({
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
      _actions: this.actions.toRecorded(clean),
    };
    return { har: { log }, accounts: this.passwords.accounts, dropped: this.dropped };
  }

  /** Closes the window and discards the recording. */
  async cancel(): Promise<void> {
    this.isOver = true;
    await this.browser.close();
  }

  private listEntries(): { readonly entry: RecordedEntry; readonly cleanedAt: number; readonly cause: number | null }[] {
    return this.traffic.entries().flatMap(({ entry, cleanedAt, tab, startMs }) => {
      const cause = this.actions.getCause(tab, startMs);
      return cause === 'undone' ? [] : [{ entry, cleanedAt, cause }];
    });
  }

  private notifyChange(): void {
    this.options.onChange?.();
  }
}

/** Opens a window of the desktop app, which needs no installed browser, or else an installed browser. */
async function openWindow({ program, ownWindow, headless, verify }: RecorderOptions): Promise<OpenedBrowser> {
  if (program === undefined && ownWindow !== undefined && !isBrowserNamed()) return openRecordingWindow(ownWindow, { verify });
  return openBrowser({ program: program ?? findBrowser('record'), headless, verify });
}
