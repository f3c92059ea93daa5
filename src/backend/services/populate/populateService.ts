import { randomUUID } from 'node:crypto';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { areAccounts } from '#core/work/accounts/accounts.ts';
import { rowsNeeded } from '#core/work/feeds/rows.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { populateCommands, walkPlan, findRowWork } from '#core/work/populate/plan.ts';
import type { PopulatePreview, PopulateState } from '#core/work/populate/state.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import type { PopulateMode } from '#core/plan/schema/populate.ts';
import type { Store } from '#backend/store/store.ts';
import type { Log } from '#backend/log.ts';
import type { Redaction } from '#backend/redaction.ts';
import { forgetRows, type UsedRows } from '../runs/usedRows.ts';
import { checkFeeds, summarizeUsed } from '../runs/readFiles.ts';
import { mayRunCommands } from '../runCommand.ts';
import { requireValidPlan } from '../runs/prepareRun.ts';
import { type LoadLock, CLOSED, STOPPED_BY_USER } from '../loadLock.ts';
import { rowsOf } from './rows.ts';
import { PopulateSession } from './populateSession.ts';
import type { WalkParts } from './walkRows.ts';

/** Compares the feeds of a plan with the rows that it needs, and reports how many rows exist on its target. Changes and sends nothing. */
async function readPreview(plan: Plan, used: UsedRows): Promise<PopulatePreview> {
  const { feeds, spent, problems } = await checkFeeds(plan, used);
  return {
    feeds: Object.entries(plan.feeds ?? {}).map(([name, feed]) => ({
      name,
      file: feed.file,
      needed: rowsNeeded(plan, feed),
      rows: getOwn(feeds, name)?.rows.length ?? null,
      spent: feed.order === 'once' ? summarizeUsed(getOwn(spent, name) ?? []) : null,
      areAccounts: areAccounts(getOwn(feeds, name)?.columns ?? []),
    })),
    problems,
    populate: await readPopulate(plan),
  };
}

async function readPopulate(plan: Plan): Promise<PopulatePreview['populate']> {
  const { populate } = plan;
  if (populate === undefined) return null;
  const shared = {
    feed: populate.feed,
    perSecond: populate.perSecond,
    removes: findRowWork(populate, 'remove') !== null,
    commands: [...populateCommands(populate, 'create'), ...populateCommands(populate, 'remove')],
  };
  try {
    const { total, todo, record, target } = await rowsOf(plan, 'create');
    return { ...shared, total, made: total - todo.length, record, target, problem: null };
  } catch (thrown) {
    const { message, hint } = toProblem(thrown);
    return { ...shared, total: 0, made: 0, record: '', target: plan.targets[0]?.url ?? '', problem: `${message} ${hint}`.trim() };
  }
}

export interface PopulateServiceParts extends WalkParts {
  readonly store: Pick<Store, 'usedRows'>;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly runsCommands: boolean;
  readonly lock: LoadLock;
}

export interface PopulateService {
  readonly calls: Pick<CallHandlers, Extract<keyof CallHandlers, `populate.${string}`>>;
  readonly streams: Pick<StreamHandlers, 'populate.watch'>;
  close(): Promise<void>;
}

/** Maximum number of ended sessions in memory. The oldest one is dropped first. */
const MAX_KEPT_SESSIONS = 20;

/** Creates the data that plans need on their targets, and removes it again. A file beside the feed records what was created. */
export function createPopulateService(parts: PopulateServiceParts): PopulateService {
  const { log, redaction, lock } = parts;
  const sessions = new Map<string, PopulateSession>();
  let isStarting = false;
  const findGoing = (): PopulateSession | undefined => [...sessions.values()].find(({ state }) => state.state === 'running');

  lock.register('populate', () => (isStarting || findGoing() !== undefined ? populateGoing() : null));

  async function start(givenPlan: Plan, mode: PopulateMode): Promise<{ id: string }> {
    lock.claim('populate');
    isStarting = true;
    try {
      const hidden = hideSecrets(givenPlan, parts.secrets.keep);
      const { command, removeCommand } = givenPlan.populate ?? {};
      // Commands run exactly as the user agreed to them.
      const plan = { ...hidden, ...(hidden.populate && { populate: { ...hidden.populate, command, removeCommand } }) };
      const rows = await rowsOf(plan, mode);
      const { populate, work, todo } = rows;
      if (work.kind === 'journey') requireValidPlan(walkPlan(plan, populate, work.steps, mode, todo.length));
      mayRunCommands(populateCommands(populate, mode), parts.runsCommands, 'This plan');
      await lock.waitForMeasurement();
      const session = await PopulateSession.start({ id: randomUUID(), plan, mode, rows, parts, clean: redaction.text });
      sessions.set(session.state.id, session);
      const [oldest] = sessions.keys();
      if (sessions.size > MAX_KEPT_SESSIONS && oldest !== undefined) sessions.delete(oldest);
      log.info('populate started', { populate: session.state.id, mode });
      return { id: session.state.id };
    } finally {
      isStarting = false;
    }
  }

  function find(id: string): PopulateSession {
    const session = sessions.get(id);
    if (session !== undefined) return session;
    throw new HoldfastError({
      code: 'NO_SUCH_POPULATE',
      message: 'It is unknown here.',
      hint: 'Its Holdfast has ended. The file beside the list records what it created.',
    });
  }

  function watch(id: string, sink: Sink<PopulateState>): () => void {
    try {
      return find(id).watch(sink);
    } catch (thrown) {
      sink.end(toProblem(thrown));
      return () => {};
    }
  }

  return {
    calls: {
      'populate.preview': ({ plan }) => readPreview(plan, parts.store.usedRows),
      'populate.reuseRows': async ({ plan }) => forgetRows(plan, (await checkFeeds(plan)).feeds, parts.store.usedRows),
      'populate.start': ({ plan, mode }) => start(plan, mode),
      'populate.stop': ({ id }) => find(id).stop('user', STOPPED_BY_USER.text),
    },
    streams: { 'populate.watch': ({ id }, sink) => watch(id, sink) },
    async close() {
      const session = findGoing();
      session?.stop('holdfast', CLOSED.text);
      await session?.done;
    },
  };
}

function populateGoing(): HoldfastError {
  return new HoldfastError({
    code: 'POPULATE_GOING',
    message: 'Holdfast is creating data on a target.',
    hint: 'Its requests would spoil the figures. Wait until it ends or stop it, then start again.',
  });
}
