import type { CallHandlers, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { STUDY_PREFIX, type StudyDocument, type StudyHead, type StudyResult } from '#core/search/result.ts';
import { nextStep } from '#core/search/study.ts';
import type { Log } from '#backend/log.ts';
import { isGone, ownIdentity } from '#engine/processIdentity.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import { studyResultFrom, studyResultOf } from '#backend/store/groupResults.ts';
import type { Store } from '#backend/store/store.ts';
import { hiddenReferences, revealed } from '#core/plan/hiddenText.ts';
import { asStorable, hideSecrets } from '#core/plan/hideSecrets.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import { enterHosts } from '../runs/generators/openPlaces.ts';
import type { LoadPlace } from '../runs/loadPlace.ts';
import { mayStart } from '../runs/mayStart.ts';
import { newRunId } from '../runs/recovery.ts';
import type { RunService } from '../runs/runService.ts';
import type { Secrets } from '../secrets.ts';
import { routeOf } from '../targets/targetCalls.ts';
import { OneAtATime, type WatchedResult } from '../oneAtATime.ts';
import type { LoadLock } from '../loadLock.ts';
import { StudySession } from './studySession.ts';

export interface StudyServiceParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly secrets: Secrets;
  readonly runs: Pick<RunService, 'startCell' | 'recover'>;
  readonly results: ResultThread;
  /** Enters a host, as each of its runs will. Throws what keeps a load from being run there. */
  readonly openHost: (name: string) => Promise<Pick<LoadPlace, 'close'>>;
  readonly lock: LoadLock;
}

export interface StudyService {
  readonly calls: Pick<CallHandlers, Extract<keyof CallHandlers, `studies.${string}`>>;
  readonly streams: Pick<StreamHandlers, 'studies.watch'>;
  close(): Promise<void>;
}

const OWNER_GONE = 'The Holdfast that ran it ended before it did.';

export function createStudyService(parts: StudyServiceParts): StudyService {
  const { store, log, redaction, secrets, runs, results, lock } = parts;
  const self = ownIdentity();
  const going = new OneAtATime<StudySession>();

  // Also between its runs nothing else may put load on.
  lock.register('study', () => going.current && studyGoing(going.current.id));

  function mayGo(document: StudyDocument): void {
    lock.claim('study');
    mayStartStudy(document);
  }

  async function start(given: StudyDocument): Promise<{ studyId: string }> {
    mayGo(given);
    await enterHosts(given.on ?? [], parts.openHost);
    // Something else may have begun meanwhile.
    mayGo(given);
    const document = asStorable({ ...given, plan: hideSecrets(given.plan, secrets.keep) });
    const now = new Date();
    const head: StudyHead = {
      id: `${STUDY_PREFIX}${newRunId(now)}`,
      name: document.plan.name,
      kind: document.kind,
      startedAt: now.toISOString(),
      endedAt: null,
      state: 'running',
      endedBecause: null,
    };
    const key = store.studies.create({ head, document, runs: [], owner: self, nowMs: now.getTime() });
    const way = async () => {
      const { plan } = document;
      const values = await secrets.resolve([...clientCertificateReferences(plan.tls), ...hiddenReferences(plan)]);
      return { plan: revealed(plan, values), route: routeOf(plan, values) };
    };
    const started = new StudySession({ store, log, redaction, runs, results, way, onChange: going.tell }, key, head, document);
    going.hold(started, () => beat(key));
    log.info('study started', { study: head.id });
    return { studyId: head.id };
  }

  function beat(key: number): void {
    try {
      store.studies.beat(key, Date.now());
    } catch (thrown) {
      log.failure('the study could not say that it is alive', thrown);
    }
  }

  /** Ends studies whose owner is no longer there; what they have found out stays. */
  function recover(): void {
    try {
      for (const { key, head, owner, heartbeatMs } of store.studies.going()) {
        if (!isGone(owner, Date.now() - heartbeatMs, self)) continue;
        runs.recover();
        for (const run of store.studies.runs(key)) {
          if (run.state === 'running')
            store.studies.saveRun(key, { ...run, state: 'aborted', phase: null, reason: OWNER_GONE }, Date.now());
        }
        store.studies.end(key, { state: 'interrupted', endedAt: new Date(heartbeatMs).toISOString(), because: OWNER_GONE });
        log.info('study was interrupted', { study: head.id });
      }
    } catch (thrown) {
      log.failure('interrupted studies could not be marked', thrown);
    }
  }

  const result = (studyId: string): StudyResult => studyResultOf(store, studyId);
  const watched: WatchedResult<StudyResult> = { read: result, isEnded: (current) => current.study.endedAt !== null, recover };

  return {
    calls: {
      'studies.start': ({ document }) => start(document),
      'studies.stop': ({ studyId }) => {
        const { head, owner } = store.studies.find(studyId);
        if (going.current?.id === studyId) going.current.stop('You stopped it.');
        else if (head.endedAt === null) throw studyElsewhere(owner.pid);
        return {};
      },
      'studies.remove': ({ studyId }) => {
        recover();
        const { key, head, owner } = store.studies.find(studyId);
        if (going.current?.id === studyId) throw studyGoing(studyId);
        if (head.endedAt === null) throw studyElsewhere(owner.pid);
        store.studies.remove(key);
        return {};
      },
      'studies.result': ({ studyId }) => {
        recover();
        return result(studyId);
      },
      'studies.export': (asked) => results.ask('studies.export', asked),
      'studies.list': ({ limit, offset }) => {
        recover();
        const { groups, total } = store.studies.list(limit, offset);
        return {
          studies: groups.map((record) => {
            const { study, answer } = studyResultFrom(store, record);
            return { ...study, sentence: answer.sentence };
          }),
          total,
        };
      },
    },
    streams: { 'studies.watch': ({ studyId }, sink) => going.watch(studyId, watched, sink) },
    close: () => going.close(),
  };
}

/** Throws what keeps its runs from starting, before the first: `INVALID_PLAN`. */
function mayStartStudy(document: StudyDocument): void {
  const step = nextStep(document, []);
  if (step.kind === 'run') mayStart(step.plan);
  const { settings } = document;
  if (!('to' in settings) || settings.to === undefined || settings.from === undefined || settings.from <= settings.to) return;
  throw new HoldfastError({
    code: 'INVALID_PLAN',
    message: `The search begins at ${settings.from} and may not go beyond ${settings.to}.`,
    hint: 'Begin lower, or allow more.',
  });
}

function studyGoing(studyId: string): HoldfastError {
  return new HoldfastError({
    code: 'STUDY_GOING',
    message: 'A search is going: for a breaking point, or for what a server is. Another load at the same time would disturb its figures.',
    hint: 'Wait for its end or stop it, then start again.',
    data: { studyId },
  });
}

function studyElsewhere(pid: number): HoldfastError {
  return new HoldfastError({
    code: 'STUDY_ELSEWHERE',
    message: 'This search belongs to another Holdfast on this computer.',
    hint: `Stop it there: in its window, or with Ctrl+C in its terminal (process ${pid}).`,
  });
}
