import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';

const form = `<!doctype html><title>Login</title>
<form method="post" action="/login">
<input type="hidden" name="_xsrf" value="2|a|b|1">
<input name="username"><input type="password" name="password"><button>Login</button>
</form>`;

/**
 * Duration of a response in ms. With two connections, the load gets a hundred responses a second, which are enough to search for secrets.
 */
const RESPONSE_MS = 20;

export interface EchoServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server with a login form. In its body, headers and reason phrase, the server sends back everything that it receives. */
export async function startEchoServer(password: string, sessionCookie: string): Promise<EchoServer> {
  const server = createServer((request, response) => void respond(request, response, password, sessionCookie));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}/`, close: () => close(server) };
}

async function respond(request: IncomingMessage, response: ServerResponse, password: string, sessionCookie: string): Promise<void> {
  await after(RESPONSE_MS);
  if (request.method === 'POST') {
    let body = '';
    for await (const part of request) body += String(part);
    const isRight = new URLSearchParams(body).get('password') === password;
    const cookie: Record<string, string> = isRight ? { 'set-cookie': `session=${sessionCookie}; Path=/; HttpOnly` } : {};
    response.writeHead(302, { location: isRight ? '/' : '/?login_error=true', ...cookie }).end();
    return;
  }
  const { cookie = '', authorization = '', 'x-key': key = '' } = request.headers;
  if (cookie === '' && authorization === '') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(form);
    return;
  }
  const seen = [cookie, authorization, key].flat().join(' ');
  response.writeHead(200, `OK ${seen}`, { 'content-type': 'text/plain', server: `echo ${seen}`, 'x-seen': seen });
  response.end(`${JSON.stringify(request.headers)}\n`);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
