import type { Evaluation, Job } from './evaluation.ts';
import type { Scoring } from './push/scores.ts';
import type { Task } from './tasks.ts';

export interface Submission {
  /** Number of the submission, counted from 1 for each user and task. */
  readonly number: number;
  readonly submittedAtMs: number;
  readonly bytes: number;
  /** The evaluation job; null if every evaluation takes a fixed time without a queue. */
  readonly job: Job | null;
}

export interface Notification {
  readonly type: 'notification';
  /** Time in seconds since 1970. */
  readonly timestamp: number;
  readonly subject: string;
  readonly text: string;
  readonly level: 'error' | 'success';
}

export interface SubmissionStatus {
  readonly status: 1 | 3 | 5;
  readonly status_text: string;
  readonly public_score?: number;
  readonly max_public_score?: number;
  readonly public_score_message?: string;
}

const COMPILING_MS = 1_000;
const MAX_FILE_BYTES = 100_000;
const MAX_SUBMISSIONS = 1_000;
const MAX_NOTIFICATIONS = 50;

/** How a submitted solution is handled. */
interface SubmissionHandling {
  /** The reason to refuse the submission, regardless of earlier submissions; null if there is none. */
  readonly wrong: string | null;
  readonly isStored: boolean;
  readonly isEvaluated: boolean;
}

const USUAL_HANDLING: SubmissionHandling = { wrong: null, isStored: true, isEvaluated: true };
const NOT_STARTED: Job = { startedAtMs: null, endedAtMs: null };

/**
 * The state that all shards share, as they would share a database. Its size is limited: old notifications are dropped, and each user has a
 * maximum number of submissions.
 */
export class ContestState {
  private readonly submissions = new Map<string, Submission[]>();
  private readonly notifications = new Map<string, Notification[]>();
  readonly evaluationMs: number;
  private readonly evaluation: Evaluation | null;
  private readonly submitSeconds: number;
  private readonly onScored: ((scoring: Scoring) => void) | null;
  private readonly evaluating = new Set<NodeJS.Timeout>();

  /**
   * `submitSeconds` is the minimum time between two solutions from a contestant to the same task; null if there is no minimum. `onScored`
   * is called each time a solution was scored.
   */
  constructor(
    evaluationMs: number,
    evaluation: Evaluation | null = null,
    submitSeconds: number | null = null,
    onScored: ((scoring: Scoring) => void) | null = null,
  ) {
    this.evaluationMs = evaluationMs;
    this.submitSeconds = submitSeconds ?? 0;
    this.evaluation = evaluation;
    this.onScored = onScored;
  }

  /** Cancels pending evaluations. */
  close(): void {
    for (const timer of this.evaluating) clearTimeout(timer);
  }

  listSubmissions(username: string, task: Task): readonly Submission[] {
    return this.submissions.get(`${username}/${task.name}`) ?? [];
  }

  /** Accepts a solution and returns its submission. If the solution is refused, adds a notification with the reason and returns null. */
  submit(
    username: string,
    task: Task,
    bytes: number | null,
    nowMs: number,
    { wrong, isStored, isEvaluated }: SubmissionHandling = USUAL_HANDLING,
  ): Submission | null {
    const earlier = this.listSubmissions(username, task);
    const refusal =
      wrong ??
      (bytes === null
        ? 'The form held no file with a solution.'
        : bytes > MAX_FILE_BYTES
          ? `A solution may have at most ${MAX_FILE_BYTES} bytes.`
          : earlier.length >= MAX_SUBMISSIONS
            ? `At most ${MAX_SUBMISSIONS} solutions of a task are accepted.`
            : nowMs - (earlier.at(-1)?.submittedAtMs ?? 0) < this.submitSeconds * 1_000
              ? `At most one solution in ${this.submitSeconds} s is accepted.`
              : null);
    if (refusal !== null || bytes === null) {
      this.notify(username, 'Invalid submission!', refusal ?? '', nowMs, 'error');
      return null;
    }
    const number = earlier.length + 1;
    const reportScore = (): void =>
      this.onScored?.({
        id: `${username}-${task.name}-${number}`,
        user: username,
        task: task.name,
        score: getScore(bytes),
        submittedAtMs: nowMs,
        atMs: Date.now(),
      });
    if (!isStored) return { number, submittedAtMs: nowMs, bytes, job: NOT_STARTED };
    if (!isEvaluated) return this.addSubmission(username, task, { number, submittedAtMs: nowMs, bytes, job: NOT_STARTED });
    const job = this.evaluation?.submit(`/tasks/${task.name}/submissions/${number}?user=${username}`, bytes, reportScore) ?? null;
    if (job === null && this.onScored !== null) this.schedule(COMPILING_MS + this.evaluationMs, reportScore);
    return this.addSubmission(username, task, { number, submittedAtMs: nowMs, bytes, job });
  }

  private addSubmission(username: string, task: Task, submission: Submission): Submission {
    this.submissions.set(`${username}/${task.name}`, [...this.listSubmissions(username, task), submission]);
    return submission;
  }

  private schedule(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.evaluating.delete(timer);
      act();
    }, ms);
    this.evaluating.add(timer);
  }

  notify(username: string, subject: string, text: string, nowMs: number, level: Notification['level'] = 'success'): void {
    const earlier = this.notifications.get(username) ?? [];
    const notification = { type: 'notification', timestamp: nowMs / 1_000, subject, text, level } as const;
    this.notifications.set(username, [...earlier, notification].slice(-MAX_NOTIFICATIONS));
  }

  notificationsSince(username: string, timestamp: number): readonly Notification[] {
    return (this.notifications.get(username) ?? []).filter((notification) => notification.timestamp > timestamp);
  }
}

/** Returns the state of an evaluation, with the words and numbers that CMS uses. */
export function statusOf(submission: Submission, evaluationMs: number, nowMs: number): SubmissionStatus {
  const { job, submittedAtMs, bytes } = submission;
  const startedAtMs = job ? job.startedAtMs : submittedAtMs + COMPILING_MS;
  const endedAtMs = job ? job.endedAtMs : submittedAtMs + COMPILING_MS + evaluationMs;
  if (startedAtMs === null || nowMs < startedAtMs) return { status: 1, status_text: 'Compiling...' };
  if (endedAtMs === null || nowMs < endedAtMs) return { status: 3, status_text: 'Evaluating...' };
  const score = getScore(bytes);
  return { status: 5, status_text: 'Evaluated', public_score: score, max_public_score: 100, public_score_message: `${score} / 100` };
}

/** Returns a score from 0 to 100 that depends only on the size of the solution. */
function getScore(bytes: number): number {
  return (bytes * 7) % 101;
}
