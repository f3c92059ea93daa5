import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { randomBytes, randomUUID } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';

/** The accounts that every application has. No password is part of any other text. */
export const ACCOUNTS = [
  { userName: 'adalovelace', password: 'hush-Hush-4711' },
  { userName: 'bobnoyce', password: 'quiet-Night-0815' },
] as const;

/** Functions that act as a user. Each action is announced before it happens. */
export interface Person {
  readonly page: Page;
  readonly url: string;
  readonly userName: string;
  readonly password: string;
  did(kind: 'open' | 'click' | 'submit' | 'choose', text: string, role?: string): void;
  /** Sets the fields of the next form with files, because a browser does not record these. */
  uploaded(params: object[]): void;
  open(path: string): Promise<void>;
  /** Clicks an element by its name, and waits until nothing is loading. */
  click(role: 'link' | 'button', name: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
}

export interface Application {
  readonly name: string;
  handle(request: Request): void | Promise<void>;
  readonly journeys: Readonly<Record<string, (person: Person) => Promise<void>>>;
}

export interface Session {
  readonly id: string;
  user: string | null;
  /** Tokens that the session received, and data that the session created. */
  readonly tokens: Set<string>;
  readonly data: Map<string, string>;
}

/** A request to an application. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly json: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  readonly cookies: ReadonlyMap<string, string>;
  readonly session: Session;
  readonly now: Issuer;
  html(body: string, title: string, status?: number, head?: string): void;
  sendJson(value: unknown, status?: number, headers?: Record<string, string>): void;
  redirect(to: string, status?: number): void;
  refuse(status?: number): void;
  setCookie(line: string): void;
}

/** Generates the values of a session. What it records is the truth about which values are dynamic. */
export interface Issuer {
  /** Returns a new token and records it. */
  token(length?: number, kind?: 'hex' | 'base64' | 'url'): string;
  uuid(): string;
  /** Returns the next number of a sequence. */
  number(): string;
  note(value: string): string;
}

export interface RunningApplication {
  readonly url: string;
  /** All values that have been generated so far. */
  readonly issued: ReadonlySet<string>;
  stop(): Promise<void>;
}

export async function startApplication(application: Application): Promise<RunningApplication> {
  const issued = new Set<string>();
  const sessions = new Map<string, Session>();
  let counter = 48_150 + Math.floor(Math.random() * 500);
  const recordIssued = (value: string): string => {
    issued.add(value);
    return value;
  };
  const now: Issuer = {
    token: (length = 32, kind = 'hex') =>
      recordIssued(
        randomBytes(length)
          .toString(kind === 'url' ? 'base64url' : kind)
          .slice(0, length),
      ),
    uuid: () => recordIssued(randomUUID()),
    number: () => recordIssued(String((counter += 1 + Math.floor(Math.random() * 3)))),
    note: recordIssued,
  };
  const server = createServer((incoming, response) => {
    void serve(application, incoming, response, sessions, now).catch((cause: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(cause));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, issued, stop: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  application: Application,
  incoming: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, Session>,
  now: Issuer,
): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://application/');
  if (url.pathname === '/favicon.ico') return void response.writeHead(204).end();
  const body = await textOf(incoming);
  const cookies = new Map(
    (incoming.headers.cookie ?? '').split(/; */).map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)]),
  );
  const setCookies: string[] = [];
  let session = sessions.get(cookies.get('session') ?? '');
  if (session === undefined) {
    session = { id: now.token(32), user: null, tokens: new Set(), data: new Map() };
    sessions.set(session.id, session);
    setCookies.push(`session=${session.id}; Path=/; HttpOnly`);
  }
  const type = incoming.headers['content-type'] ?? '';
  const send = (status: number, kind: string, text: string, headers: Record<string, string> = {}): void => {
    response
      .writeHead(status, { ...headers, 'Content-Type': kind, ...(setCookies.length > 0 ? { 'Set-Cookie': setCookies } : {}) })
      .end(text);
  };
  await application.handle({
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    form: new URLSearchParams(/urlencoded/.test(type) ? body : multipartFields(body, type)),
    json: /json/.test(type) && body !== '' ? JSON.parse(body) : {},
    headers: incoming.headers,
    cookies,
    session,
    now,
    html: (content, title, status = 200, head = '') =>
      send(
        status,
        'text/html; charset=utf-8',
        `<!DOCTYPE html><html lang="en"><head><title>${title}</title>${head}</head><body>${content}</body></html>`,
      ),
    sendJson: (value, status = 200, headers = {}) => send(status, 'application/json', JSON.stringify(value), headers),
    redirect: (to, status = 302) => send(status, 'text/plain', '', { Location: to }),
    refuse: (status = 403) => send(status, 'text/html', '<!DOCTYPE html><title>Refused</title><h1>Refused</h1>'),
    setCookie: (line) => void setCookies.push(line),
  });
}

function multipartFields(body: string, type: string): string {
  const [, boundary] = /boundary=([^;]+)/.exec(type) ?? [];
  if (boundary === undefined) return '';
  const fields = body.split(`--${boundary}`).flatMap((piece): [string, string][] => {
    const name = /name="([^"]+)"/.exec(piece)?.[1];
    return name === undefined ? [] : [[name, piece.slice(piece.indexOf('\r\n\r\n') + 4, -2)]];
  });
  return new URLSearchParams(fields).toString();
}

export function mayLogIn(name: unknown, password: unknown): boolean {
  return ACCOUNTS.some((account) => account.userName === name && account.password === password);
}

/** Returns the fields of a login form. */
export function loginFields(user = 'username', password = 'password'): string {
  return `<label>User name <input name="${user}"></label><label>Password <input type="password" name="${password}"></label>`;
}

/** Logs in with the fields of {@link loginFields}. */
export async function logIn(person: Person, path: string): Promise<void> {
  await person.open(path);
  await person.fill('User name', person.userName);
  await person.fill('Password', person.password);
  await person.click('button', 'Log in');
}
