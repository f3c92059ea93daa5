import type { CallHandlers, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { countDone } from '#core/series/buildSeriesResult.ts';
import { expandSeries } from '#core/series/cells.ts';
import { checkSeries } from '#core/series/check.ts';
import { asStorable, hideSecrets, hideTargets, type Storable } from '#core/plan/hideSecrets.ts';
import { replaceCommandSecrets } from '#core/plan/secretShapes.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import { mergeSeries } from '#core/series/merge.ts';
import { remainingRuns } from '#core/series/order.ts';
import type { CellRun, SeriesHead, SeriesResult } from '#core/series/result.ts';
import { commandsOf, type SeriesDocument } from '#core/plan/schema/series.ts';
import type { Log } from '#backend/log.ts';
import { ownIdentity } from '#engine/processIdentity.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import { type Redaction, SECRET_MARK } from '#backend/redaction.ts';
import { seriesResultOf } from '#backend/store/groupResults.ts';
import type { Store } from '#backend/store/store.ts';
import { mayRunCommands } from '../mayRunCommands.ts';
import type { LoadPlace } from '../runs/loadPlace.ts';
import { mayStart } from '../runs/mayStart.ts';
import { newRunId } from '../runs/recovery.ts';
import type { RunService } from '../runs/runService.ts';
import type { Secrets } from '../secrets.ts';
import { OneAtATime, type WatchedResult } from '../oneAtATime.ts';
import type { LoadLock } from '../loadLock.ts';
import { recoverSeries } from './recoverSeries.ts';
import { plannedRuns, SeriesSession } from './seriesSession.ts';

export interface SeriesServiceParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly secrets: Secrets;
  readonly runs: Pick<RunService, 'startCell' | 'recover'>;
  readonly results: ResultThread;
  /** Enters a host, as each of its cells will. Throws what keeps a load from being run there. */
  readonly openHost: (name: string) => Promise<Pick<LoadPlace, 'close'>>;
  /** Whether commands may be run at all. */
  readonly runsCommands: boolean;
  readonly lock: LoadLock;
}

export interface SeriesService {
  readonly calls: Pick<CallHandlers, Extract<keyof CallHandlers, `series.${string}`>>;
  readonly streams: Pick<StreamHandlers, 'series.watch'>;
  close(): Promise<void>;
}

export function createSeriesService(parts: SeriesServiceParts): SeriesService {
  const { store, log, redaction, secrets, runs, results, lock } = parts;
  const self = ownIdentity();
  const going = new OneAtATime<SeriesSession>();
  let recovering: Promise<void> | null = null;
  const recover = (): Promise<void> => {
    recovering ??= recoverSeries({ store, self, log, runs, results })
      .catch((thrown: unknown) => log.failure('interrupted series could not be marked', thrown))
      .finally(() => {
        recovering = null;
      });
    return recovering;
  };

  // Also between its cells nothing else may put load on.
  lock.register('series', () => going.current && seriesGoing(going.current.id));

  function mayGo(document: SeriesDocument): void {
    lock.claim('series');
    mayStartSeries(document);
    mayRunCommands(commandsOf(document), parts.runsCommands, 'This series');
  }

  /** What a host asks is asked before the first cell, not in the middle of the night. One after the other: so are its questions. */
  async function enterHosts(document: SeriesDocument): Promise<void> {
    const names = new Set(expandSeries(document).cells.flatMap(({ on, problem }) => (problem === null ? (on ?? []) : [])));
    for (const name of names) if (!isHere(name)) (await parts.openHost(name)).close();
  }

  async function start(given: SeriesDocument): Promise<{ seriesId: string }> {
    mayGo(given);
    await enterHosts(given);
    // Something else may have begun meanwhile.
    mayGo(given);
    const document = withoutSecrets(given, secrets.keep);
    const now = new Date();
    const { name } = document.plan;
    const head: SeriesHead = {
      id: `s-${newRunId(now)}`,
      name,
      startedAt: now.toISOString(),
      endedAt: null,
      state: 'running',
      endedBecause: null,
    };
    const key = store.series.create({
      head,
      document: withCleanCommands(document, secrets.keep, redaction.text),
      runs: plannedRuns(document),
      owner: self,
      nowMs: now.getTime(),
    });
    return go(key, head, document, plannedRuns(document));
  }

  function go(key: number, head: SeriesHead, document: SeriesDocument, planned: readonly CellRun[]): { seriesId: string } {
    const started = new SeriesSession({ store, log, redaction, runs, results, onChange: going.tell }, key, head, document, planned);
    going.hold(started, () => beat(key));
    log.info('series started', { series: head.id });
    return { seriesId: head.id };
  }

  /** Goes on where it ended early. What was measured stays, and so does what was refused. */
  async function resume(seriesId: string): Promise<{ seriesId: string }> {
    lock.claim('series');
    await recover();
    const { key, head, document, owner } = store.series.find(seriesId);
    if (head.endedAt === null) throw seriesElsewhere(owner.pid);
    const left = remainingRuns(store.series.runs(key));
    if (left.length === 0) throw nothingLeft(seriesId);
    if (commandsOf(document).some((command) => command.includes(SECRET_MARK))) throw commandsForgotten();
    mayGo(document);
    await enterHosts(document);
    mayGo(document);
    if (!store.series.reopen(key, self, Date.now())) throw seriesElsewhere(owner.pid);
    for (const run of left) store.series.saveRun(key, run, Date.now());
    return go(key, { ...head, state: 'running', endedAt: null, endedBecause: null }, document, left);
  }

  function beat(key: number): void {
    try {
      store.series.beat(key, Date.now());
    } catch (thrown) {
      log.failure('the series could not say that it is alive', thrown);
    }
  }

  const result = (seriesId: string): SeriesResult => seriesResultOf(store, seriesId);
  const watched: WatchedResult<SeriesResult> = { read: result, isEnded: (current) => current.series.endedAt !== null, recover };

  return {
    calls: {
      'series.start': ({ document }) => start(document),
      'series.stop': ({ seriesId }) => {
        const { head, owner } = store.series.find(seriesId);
        if (going.current?.id === seriesId) going.current.stop('You stopped it.');
        else if (head.endedAt === null) throw seriesElsewhere(owner.pid);
        return {};
      },
      'series.resume': ({ seriesId }) => resume(seriesId),
      'series.remove': async ({ seriesId }) => {
        await recover();
        const { key, head, owner } = store.series.find(seriesId);
        if (going.current?.id === seriesId) throw seriesGoing(seriesId);
        if (head.endedAt === null) throw seriesElsewhere(owner.pid);
        store.series.remove(key);
        return {};
      },
      'series.merge': async ({ seriesIds }) => {
        await recover();
        return mergeSeries(
          seriesIds.map((id) => {
            const { key, head, document } = store.series.find(id);
            return { head, document, runs: store.series.runs(key) };
          }),
        );
      },
      'series.result': async ({ seriesId }) => {
        await recover();
        return result(seriesId);
      },
      'series.list': async ({ limit, offset }) => {
        await recover();
        const { groups, total } = store.series.list(limit, offset);
        return {
          series: groups.map(({ key, head }) => {
            const all = store.series.runs(key);
            return { ...head, done: countDone(all), planned: all.length };
          }),
          total,
        };
      },
      'series.export': (asked) => results.ask('series.export', asked),
    },
    streams: { 'series.watch': ({ seriesId }, sink) => going.watch(seriesId, watched, sink) },
    close: () => going.close(),
  };
}

/** Throws `INVALID_PLAN`: what keeps every cell from running is told before the first. */
function mayStartSeries(document: SeriesDocument): void {
  const issues = checkSeries(document).filter(({ level }) => level === 'error');
  if (issues.length > 0)
    throw new HoldfastError({
      code: 'INVALID_PLAN',
      message: 'The series has mistakes.',
      hint: issues.map(({ path, message, hint }) => `${path}: ${message} ${hint}`.trim()).join('\n'),
      data: { issues },
    });
  for (const { plan, problem } of expandSeries(document).cells) if (problem === null) mayStart(plan);
}

function withoutSecrets({ plan, series }: SeriesDocument, keep: (value: string) => string): SeriesDocument {
  const variants = series.variants.map((variant) =>
    variant.targets === undefined ? variant : { ...variant, targets: hideTargets(variant.targets, keep) },
  );
  return { plan: hideSecrets(plan, keep), series: { ...series, variants } };
}

/**
 * A command that a person wrote may hold a secret, one that this process knows or one that is called so: it is run as it was written, and stored without. What it holds is
 * known from then on, so that it is in no record of what the command wrote either.
 */
function withCleanCommands(
  { plan, series }: SeriesDocument,
  keep: (value: string) => string,
  known: (text: string) => string,
): Storable<SeriesDocument> {
  const forget = (secret: string): string => {
    keep(secret);
    return SECRET_MARK;
  };
  const clean = (line: string): string => known(replaceCommandSecrets(line, forget));
  const around = <Around extends Pick<SeriesDocument['series'], 'before' | 'after'>>(written: Around): Around => ({
    ...written,
    before: written.before.map((command) => ({ ...command, run: clean(command.run) })),
    after: written.after.map((command) => ({ ...command, run: clean(command.run) })),
  });
  return asStorable({ plan, series: { ...around(series), variants: series.variants.map(around) } });
}

function seriesGoing(seriesId: string): HoldfastError {
  return new HoldfastError({
    code: 'SERIES_GOING',
    message: 'A series is going. Another load at the same time would disturb its figures.',
    hint: 'Wait for its end or stop it, then start again.',
    data: { seriesId },
  });
}

function nothingLeft(seriesId: string): HoldfastError {
  return new HoldfastError({
    code: 'NOTHING_LEFT',
    message: `Every cell of the series ${seriesId} is settled.`,
    hint: 'There is nothing to go on with; start it anew to measure it again.',
  });
}

function commandsForgotten(): HoldfastError {
  return new HoldfastError({
    code: 'COMMANDS_FORGOTTEN',
    message: 'A command of this series held a secret, which was not kept with it.',
    hint: 'Start the series anew from its file.',
  });
}

function seriesElsewhere(pid: number): HoldfastError {
  return new HoldfastError({
    code: 'SERIES_ELSEWHERE',
    message: 'This series belongs to another Holdfast on this computer.',
    hint: `Stop it there: in its window, or with Ctrl+C in its terminal (process ${pid}).`,
  });
}
