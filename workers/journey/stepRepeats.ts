import { checkError } from '#core/work/bodyCheck/errorTexts.ts';
import { formatSeconds } from '#core/base/units.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Step } from '#core/plan/schema/step.ts';
import type { SeenResponse } from '../bodyCheck/keptResponse.ts';
import type { Response } from '../sideRecorder.ts';
import type { KnownValue } from './captures.ts';
import type { Wait } from './drivenSteps.ts';
import type { Recipe } from './recipe.ts';
import type { ScriptStep } from './script.ts';
import type { UserMemory } from './userMemory.ts';

export const NO_PAUSE: ThinkTime = { kind: 'fixed', seconds: 0 };
/** Statuses after which people reload a page: those of an overloaded server, and 0 for no response. */
const RELOADED_STATUSES: ReadonlySet<number> = new Set([0, 502, 503, 504]);

/** The repetitions of a user's current step: polls, further pages of a list, and reloads. */
export class StepRepeats {
  /** Pause before the same request is repeated; null if it is not repeated. */
  pause: ThinkTime | null = null;
  /** Number of reloads so far. */
  reloads = 0;
  private polls = 0;
  private pages = 0;
  private pollingSinceMs = 0;
  private wait: Wait = { recorder: null };
  private readonly memory: UserMemory;
  private readonly now: () => number;

  constructor(memory: UserMemory, now: () => number) {
    this.memory = memory;
    this.now = now;
  }

  /** Whether the step was polled, or a page of its list was read. */
  get hasBegun(): boolean {
    return this.polls > 0 || this.pages > 0;
  }

  /** Returns the wait that the polls of a step share, as a field of a request; none for a step without `poll`. */
  buildWait({ poll }: Step, isRedirect: boolean): { wait?: Wait } {
    if (poll === undefined) return {};
    if (!isRedirect && !this.hasBegun) this.wait = { recorder: null };
    return { wait: this.wait };
  }

  /** Prepares the next request of the step. */
  begin({ again }: Step, isRedirect: boolean): void {
    this.pause = null;
    if (isRedirect) return;
    if (this.polls === 0) this.pollingSinceMs = this.now();
    if (again !== undefined && this.pages === 0) this.memory.remember(again.while, again.first);
  }

  /** Forgets the step, because the user leaves it. */
  leave(): void {
    this.pause = null;
    this.polls = 0;
    this.pages = 0;
    this.reloads = 0;
  }

  /**
   * Schedules a reload if the step may be reloaded again, and the server was overloaded or silent. Returns whether it did. `status` is 0 if
   * there was no response.
   */
  reload({ reload }: ScriptStep, status: number): boolean {
    const { reloads } = this;
    if (reload === null || reloads >= reload.most || !RELOADED_STATUSES.has(status)) return false;
    this.leave();
    this.reloads = reloads + 1;
    this.pause = reload.pause;
    return true;
  }

  /** Ends the wait of a poll with this response. */
  endWait(poll: Step['poll'], response: Response): void {
    if (poll !== undefined) response.waitedUs = Math.max(0, this.now() - this.pollingSinceMs) * 1_000;
  }

  /** Decides whether a poll is repeated. Returns the error if the poll has taken too long; otherwise null. */
  poll({ poll }: Step, until: ReturnType<Recipe['fillUntil']>, response: Response, seen: SeenResponse): string | null {
    if (poll === undefined || until === null) return null;
    if (until.findFirstFailure(seen, () => seen.text()) === null) {
      this.endWait(poll, response);
      return null;
    }
    const seconds = poll.firstSeconds * poll.factor ** this.polls;
    const waitedSeconds = (this.now() - this.pollingSinceMs) / 1_000;
    if (waitedSeconds + seconds > poll.mostSeconds) return checkError('WAITED_IN_VAIN', formatSeconds(poll.mostSeconds));
    this.polls += 1;
    response.isStillWaiting = true;
    this.pause = { kind: 'fixed', seconds };
    return null;
  }

  /** Decides whether the next page of a list is requested. `before` is the start of this page. Returns the error if the list is endless. */
  readNextPage(again: Step['again'], before: KnownValue | undefined): string | null {
    const next = again === undefined ? undefined : this.memory.knownValue(again.while);
    if (again === undefined || next === undefined || next.length === 0) return null;
    const isSame = String(next) === String(before);
    this.pages += 1;
    if (isSame || this.pages >= again.most)
      return checkError('NO_LAST_PAGE', isSame ? `“${again.while}” stays the same` : `${again.most} requests`);
    this.pause = NO_PAUSE;
    return null;
  }
}
