import type { Page, Request, Response } from 'playwright-core';
import { findRegisteredDomain } from '#core/import/recording/siteOf.ts';
import type { Actions, RecordedAction } from './actions.ts';
import type { HttpLogins } from './httpLogins.ts';
import { type Challenge, watchByDevtools } from './pageDevtools.ts';
import type { OpenedBrowser } from './openBrowser.ts';
import type { Passwords } from './passwords.ts';
import { PERSON_BINDING, PERSON_SCRIPT, type PersonMessage, personMessageSchema } from './personScript.ts';
import type { Traffic } from './traffic.ts';

interface TabsParts {
  readonly browser: OpenedBrowser;
  readonly actions: Actions;
  readonly passwords: Passwords;
  readonly logins: HttpLogins;
  readonly traffic: Traffic;
  readonly isRecording: () => boolean;
  readonly onChange: () => void;
}

/** Maximum number of open tabs. A page could open any number, and each tab costs a connection. Users open fewer. */
const MAX_OPEN_TABS = 30;
const MAX_TABS = 500;

/** Follows the tabs of a window: their requests and user actions. */
export class Tabs {
  private readonly parts: TabsParts;
  private readonly numbers = new Map<Page, number>();
  private readonly arrivals = new Set<Page>();
  /** Tabs that will load their next document without a user action. */
  private readonly loadsWithoutAction = new Set<Page>();

  constructor(parts: TabsParts) {
    this.parts = parts;
  }

  /** Listens to the browser and to user actions in each page. */
  async listen(): Promise<void> {
    const { traffic, isRecording } = this.parts;
    const { context } = this.parts.browser;
    await context.exposeBinding(PERSON_BINDING, ({ page, frame }, message: unknown) => {
      const parsed = personMessageSchema.safeParse(message);
      if (parsed.success) this.onReported(page, parsed.data, findRegisteredDomain(frame.url()));
    });
    await context.addInitScript(PERSON_SCRIPT);
    context.on('request', (request) => isRecording() && traffic.began(request));
    context.on('response', (response: Response) => traffic.onResponse(response));
    context.on('requestfinished', (request: Request) => traffic.onFinished(request));
    context.on('requestfailed', (request: Request) => traffic.onFinished(request));
    context.on('page', (page) => void this.onOpened(page));
  }

  /** Returns the number of a tab; the first is 1. */
  numberOf(page: Page): number {
    const known = this.numbers.get(page);
    if (known !== undefined) return known;
    this.numbers.set(page, this.numbers.size + 1);
    return this.numbers.size;
  }

  get list(): number[] {
    return [...this.numbers.values()];
  }

  /** Observes a tab, its frames and the tabs that it opens. */
  async onOpened(page: Page): Promise<void> {
    if (this.numbers.has(page)) return;
    if (this.parts.browser.context.pages().length > MAX_OPEN_TABS || this.numbers.size >= MAX_TABS) return page.close().catch(() => {});
    const { browser, actions, logins, traffic, isRecording, onChange } = this.parts;
    const atMs = Date.now();
    const tab = this.numberOf(page);
    const watch = (place: Parameters<typeof watchByDevtools>[1]): Promise<void> =>
      watchByDevtools(browser.context, place, {
        onRequest: (report) => isRecording() && traffic.report(report),
        onEvent: (url) => traffic.event(url),
        onHandshake: (url, headers) => traffic.handshake(url, headers),
        onChallenge: (challenge) => {
          const login = logins.response(challenge);
          if (login === null) void this.askLogin(page, challenge).catch(() => {});
          return login;
        },
      }).catch(() => {});
    const watched = watch(page);
    // Frames of the same site have no session of their own: attaching fails, which is ignored.
    page.on('framenavigated', (frame) => frame !== page.mainFrame() && void watch(frame));
    page.on('websocket', (webSocket) => {
      if (isRecording()) traffic.socket(webSocket, tab);
    });
    browser.onDownload(page, ({ url, name }) => {
      this.addAction(page, { kind: 'download', atMs: Date.now(), text: name, role: 'page', url: page.url() });
      if (isRecording()) traffic.addDownload(url, tab);
    });
    const opener = await page.opener().catch(() => null);
    await watched;
    if (opener !== null && isRecording()) actions.openTab(tab, this.numberOf(opener), atMs, opener.url());
    onChange();
  }

  /** Shows a login form instead of the server's refusal, and repeats the request with the login. */
  private async askLogin(page: Page, challenge: Challenge): Promise<void> {
    await this.parts.logins.ask(page, challenge);
    const login = this.parts.logins.response({ ...challenge, isRepeated: false });
    if (login === null) return;
    this.learnLogin(login);
    this.parts.traffic.dropRefused(challenge.url);
    this.loadsWithoutAction.add(page);
    await page.goto(challenge.url, { waitUntil: 'commit', timeout: 0 });
  }

  learnLogin(login: { readonly username: string; readonly password: string }): void {
    this.parts.passwords.learnHttp(login);
  }

  private addAction(page: Page, action: Omit<RecordedAction, 'title'>): void {
    if (this.parts.isRecording()) this.parts.actions.add(this.numberOf(page), action);
    this.parts.onChange();
  }

  private onReported(page: Page, message: PersonMessage, site: string): void {
    switch (message.kind) {
      case 'password': {
        const { isWhole, value, ...fields } = message;
        if (isWhole) this.parts.passwords.learn({ password: value, ...fields }, site);
        else this.parts.passwords.learnPrefix(value);
        return;
      }
      case 'files':
        for (const { name, size } of message.files) this.parts.traffic.onFileChosen(name, size);
        return this.addAction(page, { kind: 'upload', atMs: message.atMs, text: message.text, role: 'field', url: message.url });
      case 'title':
        this.parts.actions.setTitle(this.numberOf(page), message.title);
        return this.parts.onChange();
      case 'arrived':
        return void this.onArrived(page, message);
      case 'click':
      case 'submit':
      case 'choose':
        return this.addAction(page, message);
      default:
        message satisfies never;
    }
  }

  /** Handles a document that no click opened: the user went back, reloaded or entered an address. */
  private async onArrived(page: Page, { atMs, how, url }: Extract<PersonMessage, { kind: 'arrived' }>): Promise<void> {
    const isFirst = !this.arrivals.has(page);
    this.arrivals.add(page);
    if (this.loadsWithoutAction.delete(page)) return;
    const role = 'page';
    if (how === 'back_forward') return this.addAction(page, { kind: 'back', atMs, text: '', role, url });
    if (how === 'reload') return this.addAction(page, { kind: 'reload', atMs, text: '', role, url });
    // The document was opened by an entered address if no page links to it. Browsers report that only on secure connections and on
    // connections to this computer.
    const opener = await page.opener().catch(() => null);
    if ((isFirst && (opener !== null || this.numberOf(page) === 1)) || !(await this.parts.traffic.isEnteredAddress(url))) return;
    const { host, pathname } = new URL(url);
    this.addAction(page, { kind: 'open', atMs, text: host + pathname, role, url });
  }
}
