import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LabAccount, LabAddress, LabSecret } from '#core/base/lab/listing.ts';
import { startControl, type ControlParts } from './control.ts';
import { accountsCsv } from './accountsCsv.ts';
import type { RunningLab } from './lab.ts';
import type { Supervisor } from './supervisor/supervisor.ts';

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
