import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { LabAddress } from '#core/base/lab/listing.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import { AccessLog } from '../accessLog.ts';
import { Breaks } from '../breaks.ts';
import { type Faults, makeFaults } from '../faults.ts';
import type { RunningLab } from '../lab.ts';
import { LAST_PORT, beyondLastPortError } from '../listen.ts';
import { databaseAddress, openLab, practiceServer } from '../openLab.ts';
import { missingNginx, type RunningNginx, startNginx } from '../programs/nginx.ts';
import { missingPostgresql } from '../programs/postgresql.ts';
import { addSlowClients } from '../slowClients.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { Sessions } from '../web/session.ts';
import { LANGUAGES, taskFiles } from './tasks.ts';
import { People } from './accounts.ts';
import type { ContestDatabase } from './database.ts';
import { Evaluation } from './evaluation.ts';
import { options, type Values } from './options.ts';
import { Phases } from './phase.ts';
import { addressesBehind, portsOfPush, startPush } from './push/push.ts';
import { type ShardFall, type ShardEvent, startShard } from './shards.ts';
import { ContestState } from './state.ts';

export interface RunningContest extends RunningLab {
  readonly log: AccessLog;
}

export const contestLab = practiceServer({
  name: 'contest',
  title: 'Practice contest site',
  story: 'A programming contest with a login, three tasks and submissions on several shards. It behaves like CMS.',
  options,
  missing: async (environment) => [
    ...(await missingPostgresql(environment, 'Without it, pages use no database connection.')),
    ...(await missingNginx(environment)).map((one) => ({ ...one, why: 'Without it, the servers have no proxy.', needed: false })),
  ],
  needs: ({ database, front }, missing) =>
    missing.map((one) => ({ ...one, needed: one.what === 'nginx' ? front !== 'none' : database === 'postgresql' })),
  startAll,
});

async function startAll(supervisor: Supervisor, values: Values): Promise<RunningContest> {
  const hasFront = values.front !== 'none';
  const lastPort = (values.port ?? 0) + values.shards + portsOfPush(values) - (hasFront ? 0 : 1);
  if (lastPort > LAST_PORT) throw beyondLastPortError(lastPort);
  const log = await AccessLog.open(supervisor.logFile('contest'));
  supervisor.onStop(() => log.close());
  const people = new People(values.accounts, values['one-password'] ? 'practice' : null);
  const evaluation = await startEvaluation(supervisor, values);
  const database = await startDatabase(supervisor, values);
  const push = await startPush(
    supervisor,
    values,
    values.port === null ? null : values.port + values.shards + (hasFront ? 1 : 0),
    people.accounts.map(({ username }) => username),
  );
  const state = new ContestState(values['evaluation-ms'], evaluation, values['submit-seconds'], push.onScored);
  supervisor.onStop(() => Promise.resolve(state.close()));
  const breaks = new Breaks(values.break);
  const shared = { log, breaks, people, state, scoreboard: push.scoreboard, ...settingsOfShards(values, people) };
  const urls: string[] = [];
  const leaks: Faults[] = [];
  const events: ShardEvent[] = [];
  const actions: Record<string, () => Promise<unknown>> = {
    'shard-events': () => Promise.resolve(events),
    'restart-clock': () => Promise.resolve(shared.phases.restart()),
    'start-contest': () => Promise.resolve(shared.phases.begin()),
    ...push.actions,
    ...listOptionalActions(values, people, leaks, evaluation),
  };
  for (let number = 1; number <= values.shards; number += 1) {
    const faults = await makeFaults(values, database ? () => database.connect() : undefined, breaks);
    supervisor.onStop(() => faults.close());
    leaks.push(faults);
    const shard = await startShard({
      shared,
      shard: number - 1,
      port: values.port === null ? null : values.port + number - (hasFront ? 0 : 1),
      serviceMs: values['service-ms'],
      faults,
      database,
      takesSecond: values['second-connection'],
      fall: number === values['falling-shard'] ? readFall(values) : null,
      onEvent: (event) => void events.push(event),
    });
    supervisor.onStop(() => shard.close());
    urls.push(shard.url);
    setOwn(actions, `stop-shard-${number}`, () => shard.die());
    setOwn(actions, `hang-shard-${number}`, () => Promise.resolve(shard.hang()));
    setOwn(actions, `start-shard-${number}`, () => shard.comeBack());
  }
  const [first = ''] = urls;
  await addSlowClients(supervisor, Number(new URL(first).port), values['slow-clients']);
  const front = await startFrontServers(supervisor, values, urls, push.locations);
  const startOf = (url: string): string => (shared.prefix === null ? url : new URL(shared.prefix, url).href);
  const lab = await openLab(supervisor, {
    name: contestLab.name,
    urls: (front === null ? urls : [front.url]).map(startOf),
    addresses: listAddresses(urls.map(startOf), front === null ? null : startOf(front.url), [
      ...addressesBehind(front?.url ?? null, push.addresses),
      ...(database ? [databaseAddress(database.adminUrl)] : []),
    ]),
    accounts: people.accounts,
    facts: listFacts(values, database !== null),
    actions,
    gauges: async () => ({
      connections: database ? await database.open() : leaks.reduce((sum, { leaked }) => sum + leaked, 0),
      ...(await push.gauges()),
    }),
  });
  return { ...lab, log };
}

/** Returns the settings that all shards have in common, from the options. */
function settingsOfShards(values: Values, people: People) {
  return {
    registers: values.registration,
    phases: new Phases(values.phase, { startsSeconds: values['starts-seconds'], lastsSeconds: values['lasts-seconds'] }),
    prefix: values.prefix === 'none' ? null : `/${values.prefix}`,
    language: values.statements,
    languages: LANGUAGES.get(values.languages) ?? new Map(),
    getFiles: taskFiles(values['task-files']),
    sessions: new Sessions('practice_login', randomBytes(32), (username) => people.isKnown(username), values['login-seconds']),
  };
}

/** Lists the addresses of the site and its shards, and the given other addresses. */
function listAddresses(shards: readonly string[], front: string | null, others: readonly LabAddress[]): LabAddress[] {
  return [
    ...(front === null ? [] : [{ label: 'Contest', url: front, help: 'nginx in front of the shards.' }]),
    ...shards.map((url, index) => ({ label: `Shard ${index + 1}`, url, help: '' })),
    ...others,
  ];
}

/** Returns the actions that only some options offer. */
function listOptionalActions(
  values: Values,
  people: People,
  leaks: readonly Faults[],
  evaluation: Evaluation | null,
): Record<string, () => Promise<unknown>> {
  const actions: Record<string, () => Promise<unknown>> = {};
  if (values.registration) {
    actions['registered'] = () => Promise.resolve({ registered: people.newcomers });
    actions['forget-registered'] = () => Promise.resolve({ forgotten: people.forgetRegistered() });
  }
  if (values['leak-one-in'] !== null)
    actions['end-leaked'] = () => Promise.resolve({ ended: leaks.reduce((sum, faults) => sum + faults.endLeaked(), 0) });
  if (evaluation) {
    actions['warm-up'] = () => Promise.resolve(evaluation.warmUp());
    actions['evaluation-state'] = () => Promise.resolve(evaluation.state);
  }
  return actions;
}

function listFacts(values: Values, hasDatabase: boolean): Record<string, number> {
  return {
    shards: values.shards,
    serviceMs: values['service-ms'],
    evaluationMs: values['evaluation-ms'],
    ...(values.evaluators === null ? {} : { evaluators: values.evaluators }),
    ...(hasDatabase
      ? {
          pool: values.pool,
          poolOverflow: values['pool-overflow'],
          poolWaitMs: values['pool-wait-ms'],
          databaseLimit: values['database-limit'],
        }
      : {}),
  };
}

async function startEvaluation(supervisor: Supervisor, values: Values): Promise<Evaluation | null> {
  const { evaluators, 'evaluation-cpu-ms': cpuMs } = values;
  if (evaluators === null) return null;
  const burn = cpuMs === null ? undefined : await startEvaluators(supervisor, evaluators, cpuMs);
  const evaluation = new Evaluation({
    evaluators,
    evaluationMs: values['evaluation-ms'],
    coldMs: values['cold-cache'] ? values['cold-ms'] : 0,
    log: supervisor.logFile('evaluations'),
    onFailed: (reason) => supervisor.reportBroken(`A solution could not be evaluated. ${reason}`),
    ...(burn === undefined ? {} : { burn }),
  });
  supervisor.onStop(() => evaluation.close());
  return evaluation;
}

const MAX_EVALUATORS = 32;
const burnReplySchema = z.object({ cpuMs: z.number() });

/** Starts each evaluator as a separate program, so that the process figures of the machine include it. */
async function startEvaluators(supervisor: Supervisor, evaluators: number, cpuMs: number): Promise<(evaluator: number) => Promise<number>> {
  const count = Math.min(evaluators, MAX_EVALUATORS);
  const programs = await Promise.all(
    Array.from({ length: count }, (_, index) => supervisor.part('evaluator', `evaluator-${index + 1}`, { cpuMs })),
  );
  // There is no time limit, because the duration depends on other load on the processor.
  return async (evaluator) => burnReplySchema.parse(await programs[(evaluator - 1) % count]?.ask('burn', null)).cpuMs;
}

async function startDatabase(supervisor: Supervisor, values: Values): Promise<ContestDatabase | null> {
  if (values.database === 'none') return null;
  // Loaded on demand, because few contests have a database.
  const { startContestDatabase } = await import('./database.ts');
  return startContestDatabase(supervisor, values);
}

function readFall(values: Values): ShardFall | null {
  const how = values['shard-falls'];
  if (how !== 'dies' && how !== 'hangs') return null;
  return { how, afterRequests: values['falls-after'], forMs: values['falls-for-ms'] };
}

/**
 * Starts nginx as in the contest's documentation, with keep-alive connections to the shards. Returns null if no proxy is wanted.
 * `locations` are additional nginx locations.
 */
async function startFrontServers(
  supervisor: Supervisor,
  values: Values,
  urls: readonly string[],
  locations: string,
): Promise<RunningNginx | null> {
  if (values.front === 'none') return null;
  const servers = urls.map((url) => `    server ${new URL(url).host};`).join('\n');
  // The shard is selected by the visitor's address, which is the default of CMS, or in turn.
  const chooses = values.front === 'hash' ? '    hash $remote_addr;\n' : '';
  const reportsUpstream = values['shard-header'] === 'upstream';
  return startNginx(supervisor, {
    port: values.port,
    descriptors: null,
    keepAliveSeconds: 65,
    http: `  upstream contest {\n${chooses}${servers}\n    keepalive 500;\n  }`,
    server: `    location / {
      proxy_pass http://contest;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_read_timeout ${values['proxy-timeout-ms']}ms;
${reportsUpstream ? '      proxy_hide_header X-Shard;\n      add_header X-Shard $upstream_addr always;' : ''}
    }
${locations}`,
  });
}
