import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlanInput } from '#core/plan/schema/plan.ts';

type WatchedJourney = NonNullable<PlanInput['watchPages']>[number];
export type JourneySteps = NonNullable<WatchedJourney['steps']>;

/** The login step, with an account from the feed `account`. */
export const LOG_IN: JourneySteps[number] = {
  name: 'Log in',
  fill: { 'User name': '{{account.username}}', Password: '{{account.password}}' },
  click: 'Log in',
  path: '/contest',
};

/** A journey that starts at the login page. */
export function participationJourney(steps: JourneySteps): WatchedJourney {
  return { name: 'Take part', url: '/login', steps };
}

const STYLE = '<style>body{font:24px sans-serif;margin:40px}</style>';

const LOGIN = (
  statedText: string,
  password = '',
): string => `<!doctype html><title>Log in</title>${STYLE}<h1>Log in to the contest</h1><p>${statedText}</p>
<form method=post action=/login><label>User name <input name=user></label><label>Password <input name=password type=password value="${password}"></label>
<input type=hidden name=token value=x><button>Log in</button></form>`;

const CONTEST = (
  user: string,
): string => `<!doctype html><title>Contest</title>${STYLE}<h1>Hello ${user}</h1><a href=/task>Sum of two</a><p id=out>no ranking</p>
<button id=rank>Ranking</button><input aria-label="Find a task"><script>
document.getElementById('rank').onclick = async () => { document.getElementById('out').textContent = await (await fetch('/ranking')).text(); };
</script>`;

const TASK = `<!doctype html><title>Sum of two</title>${STYLE}<h1>Sum of two numbers</h1><p>Add them up.</p>
<form action=/sum><label><input type=radio name=sum value=3>Three</label><label><input type=radio name=sum value=4>Four</label>
<label>In <select name=in><option value=h>hours</option><option value=m>minutes</option></select></label><input type=checkbox name=sure value=yes checked><button>Send</button></form>`;

export interface JourneyServer {
  readonly url: string;
  /** Delays of the login and of the ranking, in ms. */
  loginMs: number;
  rankingMs: number;
  /** Status of the task page. */
  taskStatus: number;
  /** Paths to which task forms were submitted, in order. */
  readonly sums: string[];
  /** Credentials of all logins, in order. */
  readonly logins: string[];
  /** Releases the response to `/held`. A load of one such request lasts until then. */
  readonly held: PromiseWithResolvers<void>;
  close(): Promise<void>;
}

/** Starts a contest site: a login form, a page behind it, a ranking that a script fetches and a task behind a link. */
export async function startJourneyServer(): Promise<JourneyServer> {
  const site: { -readonly [Key in keyof JourneyServer]: JourneyServer[Key] } = {
    url: '',
    loginMs: 0,
    rankingMs: 0,
    taskStatus: 200,
    logins: [],
    sums: [],
    held: Promise.withResolvers(),
    close() {
      site.held.resolve();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const server: Server = createServer((request, response) => {
    const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
    const page = (html: string, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    const path = request.url ?? '';
    if (request.method === 'POST')
      return void textOf(request).then((text) => {
        const form = new URLSearchParams(text);
        site.logins.push(`${form.get('user')}:${form.get('password')}`);
        setTimeout(() => {
          if (form.get('password') === 'wrong-password') return page(LOGIN('Wrong password', form.get('password') ?? ''));
          response.writeHead(303, { location: '/contest', 'set-cookie': `user=${form.get('user')}; Path=/` }).end();
        }, site.loginMs);
      });
    if (path === '/contest') return user === undefined ? void response.writeHead(303, { location: '/login' }).end() : page(CONTEST(user));
    if (path === '/login') return page(LOGIN('Who are you?'));
    if (path === '/ranking') return void setTimeout(() => response.end('1. ada'), site.rankingMs);
    if (path === '/task') return page(TASK, site.taskStatus);
    if (path.startsWith('/sum')) {
      site.sums.push(path);
      return page(TASK);
    }
    if (path === '/held') return void site.held.promise.then(() => response.end());
    response.writeHead(404).end();
  });
  server.keepAliveTimeout = 1;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address has a port, because the server listens on TCP.
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return site;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
