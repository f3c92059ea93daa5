import { randomUUID } from 'node:crypto';
import type { RecordingState } from '#contract/replies.ts';
import type { CallHandlers, StreamHandlers } from '#contract/rpc/server.ts';
import { parseJson } from '#core/base/json.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { WindowCommand } from '#backend/browser/ownWindow.ts';
import { type Dropped, Recorder, type RecorderOptions, type Recording } from '#backend/browser/recorder.ts';
import type { Log } from '#backend/log.ts';
import { listAsks, openAsks } from '#core/review/asks/ask.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { LoadLock } from '../loadLock.ts';
import type { UsedRows } from '../runs/usedRows.ts';
import type { Secrets } from '../secrets.ts';
import { type MadePlan, toPlanFile, recordedPlan, requireAccounts, withoutPasswords } from './recordedPlan.ts';

interface RecordingParts {
  readonly usedRows: UsedRows | null;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly redaction: Redaction;
  readonly version: string;
  readonly workerEntry: URL;
  /** Excludes recordings during a load, because a browser takes processor time from it. */
  readonly lock: LoadLock;
  readonly ownWindow?: WindowCommand | undefined;
  /** Default: {@link Recorder.open}. */
  readonly openRecorder?: ((options: RecorderOptions) => Promise<Recorder>) | undefined;
}

export interface RecordingService {
  readonly calls: Pick<
    CallHandlers,
    | 'recordings.start'
    | 'recordings.pause'
    | 'recordings.resume'
    | 'recordings.mark'
    | 'recordings.undo'
    | 'recordings.finish'
    | 'recordings.walkHar'
    | 'recordings.discard'
  >;
  readonly streams: Pick<StreamHandlers, 'recordings.watch'>;
  close(): Promise<void>;
}

/** State of one recording, in memory only. */
interface Session {
  readonly id: string;
  readonly url: string;
  /** Requests and files that the person has agreed to. */
  readonly agreed: readonly string[];
  readonly accountsFile: string | undefined;
  readonly accountsOnce: boolean;
  readonly unique: readonly string[];
  recorder: Recorder | null;
  state: RecordingState['state'];
  problem: RecordingState['problem'];
  /** Resolves with the recording once the window is closed. */
  ended: Promise<Recording> | null;
  /** Aborts the creation of the plan. */
  readonly end: AbortController;
  /** Resolves with the plan. Created only once, because a walk sends the journey again. */
  made: Promise<MadePlan> | null;
  /** Actions and losses at the moment when the window was closed. */
  last: { readonly actions: RecordingState['actions']; readonly dropped: Dropped } | null;
}

const REPORT_INTERVAL_MS = 500;
const MAX_LISTED_REQUESTS = 50;
const NOTHING_DROPPED: Dropped = { requests: 0, bodies: 0, actions: 0 };

/** Records a person's actions in a browser window, one recording at a time. Stores and logs nothing. */
export function createRecordingService(parts: RecordingParts): RecordingService {
  const readers = new Set<() => void>();
  let session: Session | null = null;
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const reader of readers) reader();
    }, REPORT_INTERVAL_MS);
  };

  const current = (id: string): Session => {
    if (session?.id !== id) throw noSuchRecording();
    return session;
  };
  const getRecorder = (id: string): Recorder => {
    const { recorder } = current(id);
    if (recorder === null || recorder.state === 'ended') throw recordingEnded();
    return recorder;
  };
  /** Closes the window and returns the recording; later calls return the same promise. */
  const end = (ending: Session): Promise<Recording> => {
    const { recorder } = ending;
    if (recorder === null) throw noSuchRecording();
    ending.ended ??= recorder.finish().finally(() => {
      ending.last = getPicture(recorder);
      ending.state = 'ended';
      report();
    });
    return ending.ended;
  };

  return {
    calls: {
      'recordings.start': async ({ url, verify, accountsFile, accountsOnce, unique, agreed }) => {
        if (session !== null && session.state !== 'ended' && session.state !== 'failed') throw recordingGoing();
        parts.lock.claim('record');
        if (accountsFile !== undefined) await requireAccounts(url, accountsFile);
        const shown = new URL(url);
        [shown.username, shown.password] = ['', ''];
        const starting: Session = {
          id: randomUUID(),
          url: shown.href,
          agreed,
          accountsFile,
          accountsOnce,
          unique,
          recorder: null,
          state: 'opening',
          problem: null,
          ended: null,
          end: new AbortController(),
          made: null,
          last: null,
        };
        session?.end.abort(noSuchRecording());
        session = starting;
        report();
        try {
          const options: RecorderOptions = {
            url,
            verify,
            headless: false,
            version: parts.version,
            ownWindow: parts.ownWindow,
            onChange: report,
            onPassword: parts.redaction.add,
          };
          const recorder = await (parts.openRecorder ?? Recorder.open)(options);
          // The person discarded the recording while its window opened.
          if (session !== starting) {
            await recorder.cancel();
            throw recordingEnded();
          }
          starting.recorder = recorder;
          starting.state = 'recording';
          void recorder.closed.then(() => end(starting)).catch((thrown: unknown) => parts.log.failure('a recording was lost', thrown));
        } catch (thrown) {
          starting.state = 'failed';
          starting.problem = toProblem(thrown);
          throw thrown;
        } finally {
          report();
        }
        return { recordingId: starting.id };
      },
      'recordings.pause': ({ recordingId }) => {
        getRecorder(recordingId).pause();
        return {};
      },
      'recordings.resume': ({ recordingId }) => {
        getRecorder(recordingId).resume();
        return {};
      },
      'recordings.mark': ({ recordingId, text }) => {
        getRecorder(recordingId).mark(text);
        return {};
      },
      'recordings.undo': ({ recordingId }) => {
        getRecorder(recordingId).undo();
        return {};
      },
      'recordings.finish': async ({ recordingId, thinkTimes, watches, walks, withRecording }) => {
        const ending = current(recordingId);
        const recording = await end(ending);
        const { accountsFile, accountsOnce, unique } = ending;
        const { signal } = ending.end;
        signal.throwIfAborted();
        const { usedRows, secrets, version, workerEntry } = parts;
        const mayWalk = isOfServer(ending.url, ending.agreed);
        ending.made ??= unlessEnded(
          signal,
          toPlanFile(
            recording,
            { walks, accountsFile, accountsOnce, unique },
            { usedRows, secrets, version, workerEntry, mayWalk, signal },
          ),
        );
        return {
          ...recordedPlan(await ending.made, { thinkTimes, watches }, secrets.keep),
          recording: withRecording ? JSON.stringify(recording.har) : null,
        };
      },
      'recordings.walkHar': async ({ har, url, accountsFile, accountsOnce, agreed }) => {
        const { usedRows, secrets, version, workerEntry, redaction } = parts;
        parts.lock.claim('record');
        if (accountsFile !== undefined) await requireAccounts(url, accountsFile);
        const recording = withoutPasswords(parseJson(har));
        for (const { password } of recording.accounts) redaction.add(password);
        const signal = new AbortController().signal;
        const made = await toPlanFile(
          recording,
          { walks: true, accountsFile, accountsOnce, unique: [] },
          { usedRows, secrets, version, workerEntry, mayWalk: isOfServer(url, agreed), signal },
        );
        return { ...recordedPlan(made, { thinkTimes: 'recorded', watches: false }, secrets.keep), recording: null };
      },
      'recordings.discard': async ({ recordingId }) => {
        const { recorder, end: making } = current(recordingId);
        session = null;
        making.abort(noSuchRecording());
        report();
        await recorder?.cancel();
        return {};
      },
    },
    streams: {
      'recordings.watch': (_input, sink) => {
        const reader = (): void => sink.item({ recording: session === null ? null : stateOf(session) });
        readers.add(reader);
        reader();
        return () => readers.delete(reader);
      },
    },
    async close() {
      const { recorder, end: making } = session ?? {};
      session = null;
      making?.abort(noSuchRecording());
      clearTimeout(timer);
      readers.clear();
      await recorder?.cancel();
    },
  };
}

/** Whether a plan may be walked: it may only send to the host that the user agreed to. */
function isOfServer(url: string, agreed: readonly string[]): (plan: Plan) => boolean {
  return (plan) => openAsks(listAsks({ plan }), agreed).every(({ kind, name }) => kind !== 'host' || name === new URL(url).hostname);
}

/** Rejects at once when the signal aborts, without waiting for outstanding responses or the end of a turn. */
async function unlessEnded<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(signal.reason);
  signal.addEventListener('abort', end);
  return Promise.race([work, ended.promise]).finally(() => signal.removeEventListener('abort', end));
}

function stateOf({ id, url, state, recorder, problem, last }: Session): RecordingState {
  const isPaused = state === 'recording' && recorder?.state === 'paused';
  const { actions, dropped } = last ?? (recorder === null ? { actions: [], dropped: NOTHING_DROPPED } : getPicture(recorder));
  return { recordingId: id, url, state: isPaused ? 'paused' : state, actions, dropped, problem };
}

function getPicture(recorder: Recorder): { readonly actions: RecordingState['actions']; readonly dropped: Dropped } {
  return {
    dropped: recorder.dropped,
    actions: recorder.seen().map(({ kind, text, title, requests }) => ({
      kind,
      text,
      title,
      requestCount: requests.length,
      requests: requests.slice(0, MAX_LISTED_REQUESTS),
    })),
  };
}

function recordingGoing(): HoldfastError {
  return new HoldfastError({
    code: 'RECORDING_GOING',
    message: 'A recording is already running on this computer.',
    hint: 'Finish or cancel it first; its browser window is open.',
  });
}

function recordingEnded(): HoldfastError {
  return new HoldfastError({
    code: 'RECORDING_ENDED',
    message: 'The recording has ended: its window is closed.',
    hint: 'Make the plan of what was recorded, or record again.',
  });
}

function noSuchRecording(): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_RECORDING',
    message: 'There is no such recording.',
    hint: 'Recordings are kept in memory only, until Holdfast ends. Record again.',
  });
}
