import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import express from 'express';
import type { GivenOptions, LabAccount, LabAddress, LabSecret, Missing } from '#core/base/lab/listing.ts';
import { readOptions, type ValuesOf } from '#core/base/lab/readOptions.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { commonOptions, type Lab, type RunningLab, type Surroundings } from './lab.ts';
import { listen, type Listening } from './listen.ts';
import { refuseWithout } from './programs/find.ts';
import { supervised, type Supervisor } from './supervisor/supervisor.ts';

/** The parts of a description in which practice servers differ. */
interface LabDescription<Options, Values, Running> extends Omit<Lab, 'options' | 'start'> {
  readonly options: Options;
  /**
   * Returns which programs are missing for these values. If this function is absent, the practice server needs the same programs for all
   * values.
   */
  needs?(values: Values, missing: readonly Missing[]): readonly Missing[];
  startAll(supervisor: Supervisor, values: Values, surroundings: Surroundings): Promise<Running>;
}

/**
 * Makes a practice server from its description. The practice server parses options, refuses to start if a program is missing, and starts
 * with a supervisor.
 */
export function practiceServer<Options extends Lab['options'] & typeof commonOptions, Running extends RunningLab>(
  labDescription: LabDescription<Options, ValuesOf<Options>, Running>,
) {
  const { needs, startAll, ...lab } = labDescription;
  return {
    ...lab,
    async start(givenOptions: GivenOptions, surroundings: Surroundings): Promise<Running> {
      const values = readOptions(lab.options, givenOptions);
      const missing = await lab.missing(surroundings.environment);
      refuseWithout(lab.title, needs?.(values, missing) ?? missing);
      return supervised(surroundings, values.logs, (supervisor) => startAll(supervisor, values, surroundings));
    },
  } satisfies Lab;
}

/** Returns the accounts of a practice server as CSV, for use in tests. */
function accountsCsv(accounts: readonly LabAccount[]): string {
  return `username,password\n${accounts.map(({ username, password }) => `${username},${password}\n`).join('')}`;
}

/**
 * Starts the control server, which programs ask about a practice server. `GET /` returns the description, `/logs/NAME` the access log of a
 * server, `/accounts.csv` the accounts, `/gauges` current values, and `/secrets` hidden parameters. `POST /actions/NAME` performs an
 * action.
 */
function startControl(parts: Required<LabParts>, logs: RunningLab['logs']): Promise<Listening> {
  const app = express();
  app.disable('x-powered-by');
  // Rejects requests from foreign web pages, which could use a name that resolves to this computer.
  app.use((request, response, next) => {
    if (/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? '') && request.headers.origin === undefined) return next();
    response.status(403).type('text/plain').send('Ask at 127.0.0.1.\n');
  });
  app.get('/', (_request, response) => {
    const { name, addresses, facts, actions } = parts;
    response.json({ name, addresses, facts, accounts: parts.accounts.length, logs: Object.keys(logs), actions: Object.keys(actions) });
  });
  app.get('/accounts.csv', (_request, response) => {
    response.type('text/csv').send(accountsCsv(parts.accounts));
  });
  app.get('/gauges', async (_request, response) => void response.json(await parts.gauges()));
  app.get('/secrets', (_request, response) => void response.json(parts.secrets));
  app.get('/logs/:name', (request, response, next) => {
    const { name } = request.params;
    const file = getOwn(logs, name);
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
  /** Addresses that a test targets by default. */
  readonly urls: readonly string[];
  readonly addresses: readonly LabAddress[];
  readonly accounts?: readonly LabAccount[];
  /** Facts that are known before a test: limits, sizes, times. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** Hidden parameters, which are revealed on request. */
  readonly secrets?: readonly LabSecret[];
  /** Actions that can be performed while the practice server runs, by name. */
  readonly actions?: Readonly<Record<string, () => Promise<unknown>>>;
  /** Returns current values while the practice server runs. */
  gauges?(): Promise<Readonly<Record<string, number>>>;
}

/** Completes the start once everything responds: starts the control server and returns the running practice server. */
export async function openLab(supervisor: Supervisor, givenLabParts: LabParts): Promise<RunningLab> {
  const parts = { accounts: [], secrets: [], actions: {}, gauges: () => Promise.resolve({}), ...givenLabParts };
  const { urls, addresses, accounts, secrets } = parts;
  const { logs, directory } = supervisor;
  await writeAccounts(directory, accounts);
  const control = await startControl(parts, logs);
  supervisor.onStop(() => control.close());
  return {
    urls: [...urls],
    addresses: [...addresses],
    accounts: [...accounts],
    control: control.url,
    folder: directory,
    hasSecrets: secrets.length > 0,
    logs,
    reveal: () => secrets,
    within: [],
    broken: supervisor.broken,
    stop: () => supervisor.stop(),
  };
}

/** Writes files for tests on this computer: the list of accounts, and the password alone if all accounts have the same one. */
async function writeAccounts(directory: string, accounts: readonly LabAccount[]): Promise<void> {
  const [first] = accounts;
  if (first === undefined) return;
  await writeFile(join(directory, 'accounts.csv'), accountsCsv(accounts), { mode: 0o600 });
  if (accounts.every(({ password }) => password === first.password))
    await writeFile(join(directory, 'password'), `${first.password}\n`, { mode: 0o600 });
}

/** Returns the address of a practice server's database, with a label for it. */
export function databaseAddress(url: string): { readonly label: string; readonly url: string; readonly help: string } {
  return { label: 'Database', url, help: 'PostgreSQL, to inspect the data.' };
}
