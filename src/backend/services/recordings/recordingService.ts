import { randomUUID } from 'node:crypto';
import type { RecordingState } from '#contract/replies.ts';
import type { CallHandlers, StreamHandlers } from '#contract/rpc/server.ts';
import { parseJson } from '#core/base/json.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { WindowCommand } from '#backend/browser/ownWindow.ts';
import { type DroppedCounts, Recorder, type RecorderOptions, type Recording } from '#backend/browser/recorder.ts';
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
  /** Prevents recordings during a load, because the browser takes processor time from the load. */
  readonly lock: LoadLock;
  readonly ownWindow?: WindowCommand | undefined;
  /** Opens the browser of a recording; default: {@link Recorder.open}. */
  readonly openRecorder?: ((options: RecorderOptions) => Promise<Recorder>) | undefined;
}

interface RecordingRequest {
  readonly url: string;
  readonly verify: boolean;
  /** Requests and files to which the user has agreed. */
  readonly agreed: readonly string[];
  readonly accountsFile: string | undefined;
  readonly accountsOnce: boolean;
  readonly unique: readonly string[];
}

/** State of one recording. It is kept only in memory. */
interface Session extends Omit<RecordingRequest, 'verify'> {
  readonly id: string;
  recorder: Recorder | null;
  state: RecordingState['state'];
  problem: RecordingState['problem'];
  /** Resolves with the recording once the window is closed. */
  ended: Promise<Recording> | null;
  /** Aborts the creation of the plan. */
  readonly end: AbortController;
  /** Resolves with the plan. The plan is created only once, because each creation sends the journey again. */
  made: Promise<MadePlan> | null;
  /** Actions and dropped items at the time when the window was closed. */
  last: { readonly actions: RecordingState['actions']; readonly dropped: DroppedCounts } | null;
}

const REPORT_INTERVAL_MS = 500;
const MAX_LISTED_REQUESTS = 50;
const NOTHING_DROPPED: DroppedCounts = { requests: 0, bodies: 0, actions: 0 };

/** Records a user's actions in a browser window, one recording at a time. Stores and logs nothing. */
export class RecordingService {
  readonly calls: Pick<CallHandlers, Extract<keyof CallHandlers, `recordings.${string}`>> = {
    'recordings.start': async ({ accountsFile, ...asked }) => {
      if (this.session !== null && this.session.state !== 'ended' && this.session.state !== 'failed') throw recordingGoing();
      this.parts.lock.claim('record');
      if (accountsFile !== undefined) await requireAccounts(asked.url, accountsFile);
      return { recordingId: await this.start({ ...asked, accountsFile }) };
    },
    'recordings.pause': ({ recordingId }) => this.getRecorder(recordingId).pause(),
    'recordings.resume': ({ recordingId }) => this.getRecorder(recordingId).resume(),
    'recordings.mark': ({ recordingId, text }) => this.getRecorder(recordingId).mark(text),
    'recordings.undo': ({ recordingId }) => this.getRecorder(recordingId).undo(),
    'recordings.finish': async ({ recordingId, thinkTimes, watches, walks, withRecording }) => {
      const ending = this.current(recordingId);
      const recording = await this.end(ending);
      const { url, agreed, accountsFile, accountsOnce, unique } = ending;
      const { signal } = ending.end;
      signal.throwIfAborted();
      ending.made ??= rejectOnAbort(
        signal,
        toPlanFile(recording, { walks, accountsFile, accountsOnce, unique }, { ...this.parts, mayWalk: sendsOnlyTo(url, agreed), signal }),
      );
      return {
        ...recordedPlan(await ending.made, { thinkTimes, watches }, this.parts.secrets.keep),
        recording: withRecording ? JSON.stringify(recording.har) : null,
      };
    },
    'recordings.walkHar': async ({ har, url, accountsFile, accountsOnce, agreed }) => {
      const { lock, redaction, secrets } = this.parts;
      lock.claim('record');
      if (accountsFile !== undefined) await requireAccounts(url, accountsFile);
      const recording = withoutPasswords(parseJson(har));
      for (const { password } of recording.accounts) redaction.add(password);
      const { signal } = new AbortController();
      const newPlan = await toPlanFile(
        recording,
        { walks: true, accountsFile, accountsOnce, unique: [] },
        { ...this.parts, mayWalk: sendsOnlyTo(url, agreed), signal },
      );
      return { ...recordedPlan(newPlan, { thinkTimes: 'recorded', watches: false }, secrets.keep), recording: null };
    },
    'recordings.discard': async ({ recordingId }) => {
      this.current(recordingId);
      const discarded = this.discard();
      this.report();
      await discarded;
    },
  };

  readonly streams: Pick<StreamHandlers, 'recordings.watch'> = {
    'recordings.watch': (_input, sink) => {
      const sendState = (): void => sink.item({ recording: this.session === null ? null : stateOf(this.session) });
      this.readers.add(sendState);
      sendState();
      return () => this.readers.delete(sendState);
    },
  };

  private readonly parts: RecordingParts;
  private readonly readers = new Set<() => void>();
  private session: Session | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(parts: RecordingParts) {
    this.parts = parts;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.readers.clear();
    await this.discard();
  }

  private async discard(): Promise<void> {
    const { recorder, end } = this.session ?? {};
    this.session = null;
    end?.abort(noSuchRecording());
    await recorder?.cancel();
  }

  private readonly report = (): void => {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const sendState of this.readers) sendState();
    }, REPORT_INTERVAL_MS);
  };

  private current(id: string): Session {
    if (this.session?.id !== id) throw noSuchRecording();
    return this.session;
  }

  private getRecorder(id: string): Recorder {
    const { recorder } = this.current(id);
    if (recorder === null || recorder.state === 'ended') throw recordingEnded();
    return recorder;
  }

  /** Closes the window and returns the recording; later calls return the same promise. */
  private end(ending: Session): Promise<Recording> {
    const { recorder } = ending;
    if (recorder === null) throw noSuchRecording();
    ending.ended ??= recorder.finish().finally(() => {
      ending.last = progressOf(recorder);
      ending.state = 'ended';
      this.report();
    });
    return ending.ended;
  }

  /** Opens the window, and returns the id of the recording. */
  private async start({ verify, url, ...asked }: RecordingRequest): Promise<string> {
    const { version, ownWindow, openRecorder = Recorder.open, redaction, log } = this.parts;
    const shownUrl = new URL(url);
    [shownUrl.username, shownUrl.password] = ['', ''];
    const starting: Session = {
      ...asked,
      id: randomUUID(),
      url: shownUrl.href,
      recorder: null,
      state: 'opening',
      problem: null,
      ended: null,
      end: new AbortController(),
      made: null,
      last: null,
    };
    this.session?.end.abort(noSuchRecording());
    this.session = starting;
    this.report();
    try {
      const options = { url, verify, headless: false, version, ownWindow, onChange: this.report, onPassword: redaction.add };
      const recorder = await openRecorder(options);
      // The user discarded the recording while its window was opened.
      if (this.session !== starting) {
        await recorder.cancel();
        throw recordingEnded();
      }
      starting.recorder = recorder;
      starting.state = 'recording';
      void recorder.closed.then(() => this.end(starting)).catch((thrown: unknown) => log.failure('a recording was lost', thrown));
    } catch (thrown) {
      starting.state = 'failed';
      starting.problem = toProblem(thrown);
      throw thrown;
    } finally {
      this.report();
    }
    return starting.id;
  }
}

/** Returns a function that decides whether a plan may be walked: only if it sends only to the host to which the user has agreed. */
function sendsOnlyTo(url: string, agreedKeys: readonly string[]): (plan: Plan) => boolean {
  return (plan) => openAsks(listAsks({ plan }), agreedKeys).every(({ kind, name }) => kind !== 'host' || name === new URL(url).hostname);
}

/** Rejects when the signal aborts, without waiting for outstanding responses or for the end of the current turn. */
async function rejectOnAbort<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  const ended = Promise.withResolvers<never>();
  const end = (): void => ended.reject(signal.reason);
  signal.addEventListener('abort', end);
  return Promise.race([work, ended.promise]).finally(() => signal.removeEventListener('abort', end));
}

function stateOf({ id, url, state, recorder, problem, last }: Session): RecordingState {
  const isPaused = state === 'recording' && recorder?.state === 'paused';
  const { actions, dropped } = last ?? (recorder === null ? { actions: [], dropped: NOTHING_DROPPED } : progressOf(recorder));
  return { recordingId: id, url, state: isPaused ? 'paused' : state, actions, dropped, problem };
}

function progressOf(recorder: Recorder): { readonly actions: RecordingState['actions']; readonly dropped: DroppedCounts } {
  return {
    dropped: recorder.dropped,
    actions: recorder.listSeen().map(({ kind, text, title, requests }) => ({
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
