import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';

/** A request in the target's own log. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly cookie: string;
  readonly userAgent: string;
}

export interface TestTarget {
  /** Address of the target; ends with `/`. */
  readonly url: string;
  /** The target's own access log: all requests with a response, in order. */
  readonly log: readonly LoggedRequest[];
  readonly server: Server;
  close(): Promise<void>;
}

export interface TestTargetOptions {
  /** Service time per page in ms. */
  readonly serviceMs?: number;
  readonly username?: string;
  readonly password?: string;
}

const PAGE = '<!doctype html><title>Task</title><p>A task.</p>';
const TOKEN = '2|5a17|xsrf-of-the-target';
export const SESSION_COOKIE = 'contest_login';
const SESSION = 'session-value-of-the-target';

/**
 * Starts a small contest site: `/page` (public), `/members` (302 to `/?next=…` without the cookie), a login form with `_xsrf` on `/`,
 * `/status/CODE`, `/close` (closes the connection), `/hang` (never responds), `/moved` (302 to `/page`).
 */
export async function startTarget({ serviceMs = 0, username = 'ada', password = 'lovelace' }: TestTargetOptions = {}): Promise<TestTarget> {
  const log: LoggedRequest[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://target');
    const { cookie = '', 'user-agent': userAgent = '' } = request.headers;
    response.once('finish', () => log.push({ method: request.method ?? '', path: url.pathname, cookie, userAgent }));
    const respond = (): void => void route(request, response, url, { username, password });
    if (serviceMs > 0) setTimeout(respond, serviceMs);
    else respond();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    log,
    server,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  account: { username: string; password: string },
): Promise<void> {
  response.setHeader('Server', 'target/1.0');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  const loggedIn = (request.headers.cookie ?? '').includes(`${SESSION_COOKIE}=${SESSION}`);
  const [, first = '', second = ''] = url.pathname.split('/');
  switch (first) {
    case '':
      response.setHeader('Set-Cookie', `_xsrf=${TOKEN}; Path=/`);
      response.end(loggedIn ? PAGE : loginPage());
      return;
    case 'login':
      await takeLogin(request, response, account);
      return;
    case 'members':
      if (loggedIn) response.end(PAGE);
      else response.writeHead(302, { Location: `/?next=${encodeURIComponent(url.pathname)}` }).end();
      return;
    case 'moved':
      response.writeHead(302, { Location: '/page' }).end();
      return;
    case 'status':
      response.writeHead(Number(second)).end('as you wish');
      return;
    case 'close':
      response.setHeader('Connection', 'close');
      response.end(PAGE);
      return;
    case 'hang':
      return;
    default:
      response.end(PAGE);
  }
}

function loginPage(): string {
  return `<!doctype html><form action="/login" method="post"><input type="hidden" name="_xsrf" value="${TOKEN}">
    <input name="username"><input type="password" name="password"><button>Login</button></form>`;
}

async function takeLogin(
  request: IncomingMessage,
  response: ServerResponse,
  account: { username: string; password: string },
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const form = new URLSearchParams(body);
  const forged = form.get('_xsrf') !== TOKEN || !(request.headers.cookie ?? '').includes(`_xsrf=${TOKEN}`);
  const right = form.get('username') === account.username && form.get('password') === account.password;
  if (forged) response.writeHead(403).end('XSRF token missing');
  else if (right) response.writeHead(302, { Location: '/', 'Set-Cookie': `${SESSION_COOKIE}=${SESSION}; Path=/; HttpOnly` }).end();
  else response.writeHead(302, { Location: '/?login_error=true' }).end();
}
