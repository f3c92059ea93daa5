import { randomBytes } from 'node:crypto';
import { HoldfastError } from '#core/errors.ts';
import type { GivenOptions } from '#core/lab/listing.ts';
import { readOptions, type ValuesOf } from '#core/lab/readOptions.ts';
import { AccessLog } from '../accessLog.ts';
import { faultOptions, faultsOf, makeFaults } from '../faults.ts';
import type { Lab, RunningLab, Surroundings } from '../lab.ts';
import { LAST_PORT, listen, type Listening } from '../listen.ts';
import { openLab } from '../openLab.ts';
import { commonOptions, loginSecondsOption, numberOption } from '../optionKinds.ts';
import { supervised, type Supervisor } from '../supervisor/supervisor.ts';
import { Sessions } from '../web/session.ts';
import { ACCOUNTS, isKnownUser } from './accounts.ts';
import { contestApp } from './app.ts';
import { DEFAULT_SERVICE_MS } from './pace.ts';
import { ContestState } from './state.ts';

const options = {
  ...commonOptions,
  shards: numberOption({
    label: 'Servers side by side',
    help: 'Each on a port of its own; they share logins.',
    default: 2,
    min: 1,
    max: 64,
  }),
  'service-ms': numberOption({
    label: 'Mean time that a page takes',
    help: 'Answers take from 0.8 to 1.2 times that.',
    default: DEFAULT_SERVICE_MS,
    min: 0,
    max: 60_000,
    unit: 'ms',
  }),
  'login-seconds': loginSecondsOption,
  ...faultOptions,
} as const;

export interface RunningContest extends RunningLab {
  readonly log: AccessLog;
}

export const contestLab: Omit<Lab, 'start'> & { start(given: GivenOptions, surroundings: Surroundings): Promise<RunningContest> } = {
  name: 'contest',
  title: 'Practice contest site',
  story: 'A programming contest with a login, three tasks and submissions, served by several shards: it behaves as CMS does.',
  options,
  missing: () => Promise.resolve([]),
  start(given, surroundings) {
    const values = readOptions(options, given);
    const lastPort = (values.port ?? 0) + values.shards - 1;
    if (lastPort > LAST_PORT)
      throw new HoldfastError({
        code: 'LISTEN_FAILED',
        message: `There is no port ${lastPort}.`,
        hint: `Ports go up to ${LAST_PORT.toLocaleString('en')}. Choose a lower first port or fewer shards.`,
      });
    return supervised(surroundings, values.logs, (supervisor) => startShards(supervisor, values));
  },
};

async function startShards(supervisor: Supervisor, values: ValuesOf<typeof options>): Promise<RunningContest> {
  const log = await AccessLog.open(supervisor.logFile('contest'));
  supervisor.onStop(() => log.close());
  const state = new ContestState();
  const sessions = new Sessions(randomBytes(32), isKnownUser, values['login-seconds']);
  const shards: Listening[] = [];
  for (let shard = 0; shard < values.shards; shard += 1) {
    const faults = await makeFaults(faultsOf(values));
    supervisor.onStop(() => faults.close());
    const app = contestApp({
      log,
      state,
      sessions,
      serviceMs: values['service-ms'],
      loginSeconds: values['login-seconds'],
      shard,
      faults: faults.handler,
    });
    const listening = await listen(app, values.port === null ? null : values.port + shard);
    supervisor.onStop(() => listening.close());
    shards.push(listening);
  }
  const urls = shards.map(({ url }) => url);
  const addresses = urls.map((url, index) => ({ label: `Shard ${index + 1}`, url, help: '' }));
  const lab = await openLab(supervisor, {
    name: contestLab.name,
    urls,
    addresses,
    accounts: ACCOUNTS,
    facts: { shards: values.shards, serviceMs: values['service-ms'] },
  });
  return { ...lab, log };
}
