import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import express from 'express';
import type { LabAccount, LabAddress, LabSecret } from '#core/base/lab/listing.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { RunningLab } from './lab.ts';
import type { Supervisor } from './supervisor/supervisor.ts';
import { listen, type Listening } from './listen.ts';

/** The people of a practice server as a list for tests. */
function accountsCsv(accounts: readonly LabAccount[]): string {
  return `username,password\n${accounts.map(({ username, password }) => `${username},${password}\n`).join('')}`;
}

interface ControlParts {
  readonly name: string;
  readonly addresses: readonly LabAddress[];
  readonly accounts: readonly LabAccount[];
  readonly logs: Readonly<Record<string, string>>;
  /** What is known about it before a test: limits, sizes, times. */
  readonly facts: Readonly<Record<string, string | number>>;
  reveal(): readonly LabSecret[];
  /** What can be done to it while it runs, by name. */
  readonly actions: Readonly<Record<string, () => Promise<unknown>>>;
  /** What can be read off while it runs. */
  gauges(): Promise<Readonly<Record<string, number>>>;
}

/**
 * The address beside a practice server at which programs ask about it. `GET /` what there is, `/logs/NAME` the access log of a
 * server, `/accounts.csv`, `/gauges` what can be read off while it runs, `/secrets` what was kept back; `POST /actions/NAME` does what it says.
 */
function startControl(parts: ControlParts): Promise<Listening> {
  const app = express();
  app.disable('x-powered-by');
  // A page of another site must not act on it by a name that points here.
  app.use((request, response, next) => {
    if (/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '') && request.headers.origin === undefined) return next();
    response.status(403).type('text/plain').send('Ask at 127.0.0.1.\n');
  });
  app.get('/', (_request, response) => {
    const { name, addresses, facts, logs, actions } = parts;
    response.json({ name, addresses, facts, accounts: parts.accounts.length, logs: Object.keys(logs), actions: Object.keys(actions) });
  });
  app.get('/accounts.csv', (_request, response) => {
    response.type('text/csv').send(accountsCsv(parts.accounts));
  });
  app.get('/gauges', async (_request, response) => void response.json(await parts.gauges()));
  app.get('/secrets', (_request, response) => void response.json(parts.reveal()));
  app.get('/logs/:name', (request, response, next) => {
    const { name } = request.params;
    const file = getOwn(parts.logs, name);
    if (file === undefined) return next();
    response.type('application/x-ndjson').sendFile(file, { dotfiles: 'allow' });
  });
  app.post('/actions/:name', async (request, response, next) => {
    const { name } = request.params;
    const action = getOwn(parts.actions, name);
    if (!action) return next();
    response.json((await action()) ?? {});
  });
  return listen(app, null);
}

export interface LabParts {
  readonly name: string;
  /** What a test is aimed at when nobody chooses. */
  readonly urls: readonly string[];
  readonly addresses: readonly LabAddress[];
  readonly accounts?: readonly LabAccount[];
  readonly facts: ControlParts['facts'];
  /** What it keeps back until it is asked. */
  readonly secrets?: readonly LabSecret[];
  readonly actions?: ControlParts['actions'];
  readonly gauges?: ControlParts['gauges'];
}

/** The last step of a start: everything answers, the control address is opened, and the practice server can be handed over. */
export async function openLab(supervisor: Supervisor, parts: LabParts): Promise<RunningLab> {
  const { name, urls, addresses, accounts = [], facts, secrets = [], actions = {}, gauges = () => Promise.resolve({}) } = parts;
  const reveal = (): readonly LabSecret[] => secrets;
  const { logs, directory } = supervisor;
  await writeAccounts(directory, accounts);
  const control = await startControl({ name, addresses, accounts, logs, facts, reveal, actions, gauges });
  supervisor.onStop(() => control.close());
  return {
    urls: [...urls],
    addresses: [...addresses],
    accounts: [...accounts],
    control: control.url,
    folder: directory,
    hasSecrets: secrets.length > 0,
    logs,
    reveal,
    within: [],
    broken: supervisor.broken,
    stop: () => supervisor.stop(),
  };
}

/** For tests on this computer: the list, and the password by itself where it is the same for all. */
async function writeAccounts(directory: string, accounts: readonly LabAccount[]): Promise<void> {
  const [first] = accounts;
  if (first === undefined) return;
  await writeFile(join(directory, 'accounts.csv'), accountsCsv(accounts), { mode: 0o600 });
  if (accounts.every(({ password }) => password === first.password))
    await writeFile(join(directory, 'password'), `${first.password}\n`, { mode: 0o600 });
}

/** The address of the database of a practice server. */
export function databaseAddress(url: string): { readonly label: string; readonly url: string; readonly help: string } {
  return { label: 'Database', url, help: 'PostgreSQL, to inspect the data.' };
}
