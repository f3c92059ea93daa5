import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { selfSigned } from '#backend/testing/certificates.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

/** A small site with a random token and password per test. It logs its requests. */
export interface Site {
  readonly url: string;
  /** User name for the form login and the HTTP login. */
  readonly user: string;
  readonly password: string;
  /** Value of the session cookie. */
  readonly session: string;
  /** `METHOD path` of all requests in order. */
  readonly asked: readonly string[];
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><link rel="stylesheet" href="/style.css"><link rel="icon" href="data:,"></head><body>${body}</body></html>`;

const HOME = `
<a href="/task" target="_blank">Open task sum</a>
<a href="/old">Old address</a>
<a href="/report.csv" download>Report</a>
<button type="button" id="ask">Ask the API</button>
<button type="button" id="leave">Ask and leave</button>
<button type="button" id="news">Follow the news</button>
<button type="button" id="talk">Talk</button>
<form action="/solutions" method="post" enctype="multipart/form-data">
  <label>Task <input name="task" value="sum"></label>
  <label>Solution <input type="file" name="solution"></label>
  <button>Hand in</button>
</form>
<iframe src="/frame" title="Scores"></iframe>
<script>
const post = (body) => fetch('/api', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
ask.onclick = async () => { await post({ question: 'how long', number: 7 }); document.title = 'Asked'; };
leave.onclick = async () => { await (await post({ question: 'which' })).json(); location = '/task'; };
news.onclick = () => { const source = new EventSource('/news'); let count = 0; source.onmessage = () => { count += 1; if (count === 3) document.title = 'Three news'; }; };
talk.onclick = () => {
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/talk', ['scores']);
  socket.onopen = () => socket.send('hello');
  socket.onmessage = ({ data }) => { document.title = data; };
};
</script>`;

const LOGIN = (token: string): string => `
<form action="/login" method="post">
  <input type="hidden" name="csrf" value="${token}">
  <label>Name <input name="login" autocomplete="username"></label>
  <label>Password <input type="password" name="secret"></label>
  <label><input type="checkbox" name="remember"> Remember me</label>
  <button>Log in</button>
</form>`;

export async function startSite(user = 'ada'): Promise<Site> {
  const facts = { user, password: newToken('p&ss "wörd"/'), session: newToken('session-') };
  const askedNames: string[] = [];
  const server = createServer((request, response) => {
    askedNames.push(`${request.method} ${request.url}`);
    void respond(request, response, facts);
  });
  const sockets = new WebSocketServer({ server, path: '/talk' });
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`You said ${String(data)}`)));
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate();
  });
  return { ...facts, asked: askedNames, url: `http://127.0.0.1:${await listen(server)}/` };
}

/** Starts a site with HTTP/2 and a self-signed certificate. */
export async function startSecureSite(): Promise<string> {
  const directory = temporaryDirectory();
  const { key, cert } = selfSigned(directory);
  const server = createSecureServer({ key, cert }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(page('Second version', '<p>Over HTTP/2</p>'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${portOf(server.address())}/`;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { user, password, session }: Pick<Site, 'user' | 'password' | 'session'>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const send = (status: number, type: string, text: string, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(text);
  };
  const html = (title: string, text: string): void => send(200, 'text/html; charset=utf-8', page(title, text));
  const redirectTo = (location: string, headers: Record<string, string> = {}): void =>
    send(302, 'text/plain', '', { location, ...headers });
  switch (`${request.method} ${request.url?.split('?', 1)[0]}`) {
    case 'GET /':
      return html('Welcome', '<a href="/login">Log in here</a><img src="/picture.png" alt="">');
    case 'GET /login':
      return html('Log in', LOGIN(newToken('csrf-')));
    case 'POST /login': {
      const isRight = new URLSearchParams(body).get('secret') === password;
      if (!isRight) return html('Wrong', LOGIN(newToken('csrf-')));
      return redirectTo('/home', { 'set-cookie': `session=${session}; HttpOnly; Path=/` });
    }
    case 'GET /home':
      return html('Home', HOME);
    case 'GET /old':
      return redirectTo('/newer');
    case 'GET /newer':
      return redirectTo('/task?from=old');
    case 'GET /task':
      return html(
        'Task sum',
        `<p>Read two numbers.</p><p>Hello ${user}, your password is ${password.length} long: ${escapedHtml(password)}</p>`,
      );
    case 'GET /frame':
      return html('Scores', '<p>In a frame</p><img src="/in-frame.png" alt="">');
    case 'POST /api':
      return send(200, 'application/json', JSON.stringify({ token: newToken('api-'), stated: body }));
    case 'POST /solutions':
      return redirectTo('/task?handed=in');
    case 'GET /report.csv':
      return send(200, 'text/csv', 'a,b\n1,2\n', { 'content-disposition': 'attachment; filename="report.csv"' });
    case 'GET /style.css':
      return send(200, 'text/css', 'body { font: 16px sans-serif }', { 'cache-control': 'max-age=3600' });
    case 'GET /news': {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const number of [1, 2, 3]) response.write(`data: ${number}\n\n`);
      return;
    }
    case 'GET /large':
      return send(200, 'text/plain', 'x'.repeat(1_048_576));
    case 'GET /small':
      return send(200, 'text/plain', 'x');
    case 'GET /secret': {
      const [, letters = ''] = (request.headers.authorization ?? '').split(' ');
      if (Buffer.from(letters, 'base64').toString() !== `${user}:${password}`)
        return send(401, 'text/plain', 'no', { 'www-authenticate': 'Basic realm="here"' });
      return html('Secret', '<a href="/secret?again">Again</a>');
    }
    default:
      return send(request.url?.endsWith('.png') === true ? 200 : 404, 'image/png', 'PNG');
  }
}

function escapedHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function newToken(begin: string): string {
  return `${begin}${crypto.randomUUID().replaceAll('-', '')}`;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return portOf(server.address());
}

function portOf(address: ReturnType<Server['address']>): number {
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  return address.port;
}
