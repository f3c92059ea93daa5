import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive, type DriveResult } from '#workers/testing/drive.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const opened: TestServer[] = [];

/** Closes all servers that this file started. */
export async function closeServers(): Promise<void> {
  await Promise.all(opened.splice(0).map((server) => server.close()));
}

export async function serve(handle: Handler): Promise<TestServer> {
  const server = await httpServer((request, response) => {
    void text(request).then((body) => handle(request, response, body));
  });
  opened.push(server);
  return server;
}

export const seal = (user: string): string => createHmac('sha256', 'key').update(user).digest('hex').slice(0, 16);

/** Starts a typical site with a login: an XSRF cookie, a form field that repeats it, and redirects to the login page. */
export async function site(seen: string[] = []): Promise<TestServer> {
  return serve((request, response, body) => {
    const cookies = new Map((request.headers.cookie ?? '').split('; ').map((pair) => [pair.split('=')[0], pair.split('=')[1]]));
    const path = request.url ?? '/';
    const known = cookies.get('sid')?.split('.') ?? [];
    const user = known[1] === seal(known[0] ?? '') ? known[0] : undefined;
    seen.push(`${request.method} ${path} ${user ?? '-'}`);
    const form = new URLSearchParams(body);
    if (path.split('?')[0] === '/') {
      response.setHeader('Set-Cookie', `_xsrf=${Math.random().toString(16).slice(2)}; Path=/`);
      response.end(
        user === undefined ? '<form><input type="password"></form>' : `<p>Hello ${user}</p><a href="/tasks/b%20c?x=1&amp;y=2">Task</a>`,
      );
    } else if (path === '/login') {
      if (form.get('_xsrf') !== cookies.get('_xsrf')) response.writeHead(403).end('no token');
      else if (form.get('password') !== 'right & true') response.writeHead(302, { Location: '/?login_error=true' }).end();
      else
        response
          .writeHead(302, { Location: '/', 'Set-Cookie': `sid=${form.get('username')}.${seal(form.get('username') ?? '')}; Path=/` })
          .end();
    } else if (user === undefined) response.writeHead(302, { Location: `/?next=${encodeURIComponent(path)}` }).end();
    else response.end(JSON.stringify({ items: [{ id: 7 }, { id: 8 }], path, user }));
  });
}

export const login: PlanInput['journey'] = [
  { name: 'home', path: '/' },
  {
    name: 'login',
    method: 'POST',
    path: '/login',
    form: { username: 'user{{number}}', password: '{{password}}', _xsrf: '{{cookie._xsrf}}' },
    redirects: { follow: true },
    checks: [{ kind: 'contains', text: 'Hello user{{number}}<' }],
    captures: [{ from: 'body', as: 'link', pattern: 'href="([^"]*)"', html: true }],
  },
  { name: 'task', path: '{{link}}', checks: [{ kind: 'json', path: '$.path', equals: '/tasks/b%20c?x=1&y=2' }] },
];
export const variables: PlanInput['variables'] = {
  number: { kind: 'integer', from: 1, to: 1_000, per: 'journey' },
  password: { kind: 'secret', secret: 'env:PASSWORD' },
};
export const stage = { connections: 4, requests: 60 };

export function walk(server: TestServer, plan: Partial<PlanInput>, secrets = { password: 'right & true' }): Promise<DriveResult> {
  return drive({ targets: [server.url], stage, plan: { variables, ...plan }, secrets });
}
