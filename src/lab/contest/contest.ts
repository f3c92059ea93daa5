import { randomBytes } from 'node:crypto';
import { HoldfastError } from '#core/errors.ts';
import type { GivenOptions } from '#core/lab/listing.ts';
import { readOptions, type ValuesOf } from '#core/lab/readOptions.ts';
import { AccessLog } from '../accessLog.ts';
import { faultsOf, makeFaults } from '../faults.ts';
import type { Lab, RunningLab, Surroundings } from '../lab.ts';
import { LAST_PORT, listen } from '../listen.ts';
import { openLab } from '../openLab.ts';
import { refuseWithout } from '../programs/find.ts';
import { missingPostgresql } from '../programs/postgresql.ts';
import { supervised, type Supervisor } from '../supervisor/supervisor.ts';
import { Sessions } from '../web/session.ts';
import { People } from './accounts.ts';
import { contestApp } from './app.ts';
import { Evaluation } from './evaluation.ts';
import { options } from './options.ts';
import { takeServiceTime } from './pace.ts';
import { ContestState } from './state.ts';

type Values = ValuesOf<typeof options>;

export interface RunningContest extends RunningLab {
  readonly log: AccessLog;
}

export const contestLab: Omit<Lab, 'start'> & { start(given: GivenOptions, surroundings: Surroundings): Promise<RunningContest> } = {
  name: 'contest',
  title: 'Practice contest site',
  story: 'A programming contest with a login, three tasks and submissions, served by several shards: it behaves as CMS does.',
  options,
  missing: (environment) => missingPostgresql(environment, 'Without it pages hold no connection to a database.'),
  async start(given, surroundings) {
    const values = readOptions(options, given);
    const lastPort = (values.port ?? 0) + values.shards - 1;
    if (lastPort > LAST_PORT)
      throw new HoldfastError({
        code: 'LISTEN_FAILED',
        message: `There is no port ${lastPort}.`,
        hint: `Ports go up to ${LAST_PORT.toLocaleString('en')}. Choose a lower first port or fewer shards.`,
      });
    if (values.database === 'postgresql') {
      const lacking = await contestLab.missing(surroundings.environment);
      refuseWithout(
        contestLab.title,
        lacking.map((one) => ({ ...one, needed: true })),
      );
    }
    return supervised(surroundings, values.logs, (supervisor) => startAll(supervisor, values));
  },
};

async function startAll(supervisor: Supervisor, values: Values): Promise<RunningContest> {
  const log = await AccessLog.open(supervisor.logFile('contest'));
  supervisor.onStop(() => log.close());
  const people = new People(values.accounts);
  const evaluation = startEvaluation(supervisor, values);
  const database = await startDatabase(supervisor, values);
  const shared = {
    log,
    people,
    loginSeconds: values['login-seconds'],
    sessions: new Sessions(randomBytes(32), (username) => people.knows(username), values['login-seconds']),
    state: new ContestState(values['evaluation-ms'], evaluation),
  };
  const urls: string[] = [];
  const actions: Record<string, () => Promise<unknown>> = {};
  for (let shard = 0; shard < values.shards; shard += 1) {
    const faults = await makeFaults(faultsOf(values), database ? () => database.connect() : undefined);
    supervisor.onStop(() => faults.close());
    const connections = database?.shard();
    if (connections) supervisor.onStop(() => connections.close());
    const work = (): Promise<void> => takeServiceTime(values['service-ms']);
    const app = contestApp({ ...shared, shard, faults: faults.handler, work: connections ? () => connections.use(work) : work });
    let listening = await listen(app, values.port === null ? null : values.port + shard);
    const { url } = listening;
    supervisor.onStop(() => listening.close());
    urls.push(url);
    actions[`stop-shard-${shard + 1}`] = () => listening.close();
    actions[`start-shard-${shard + 1}`] = async () => {
      await listening.close();
      listening = await listen(app, Number(new URL(url).port));
    };
  }
  if (evaluation) {
    actions['warm-up'] = () => Promise.resolve(evaluation.warmUp());
    actions['evaluation-state'] = () => Promise.resolve(evaluation.state);
  }
  const lab = await openLab(supervisor, {
    name: contestLab.name,
    urls,
    addresses: [
      ...urls.map((url, index) => ({ label: `Shard ${index + 1}`, url, help: '' })),
      ...(database ? [{ label: 'Database', url: database.adminUrl, help: 'PostgreSQL, for whoever wants to look into it.' }] : []),
    ],
    accounts: people.accounts,
    facts: {
      shards: values.shards,
      serviceMs: values['service-ms'],
      evaluationMs: values['evaluation-ms'],
      ...(values.evaluators === null ? {} : { evaluators: values.evaluators }),
      ...(database ? { pool: values.pool, databaseLimit: values['database-limit'] } : {}),
    },
    actions,
  });
  return { ...lab, log };
}

function startEvaluation(supervisor: Supervisor, values: Values): Evaluation | null {
  if (values.evaluators === null) return null;
  const evaluation = new Evaluation({
    evaluators: values.evaluators,
    evaluationMs: values['evaluation-ms'],
    coldMs: values['cold-cache'] ? values['cold-ms'] : 0,
    log: supervisor.logFile('evaluations'),
  });
  supervisor.onStop(() => evaluation.close());
  return evaluation;
}

async function startDatabase(supervisor: Supervisor, values: Values) {
  if (values.database === 'none') return null;
  // Loaded only where it is asked for.
  const { startContestDatabase } = await import('./database.ts');
  return startContestDatabase(supervisor, values['database-limit'], values.pool);
}
