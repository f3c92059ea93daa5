import { readErrorName } from '#core/base/errorNames.ts';
import { MAX_CAUSE_LENGTH, type PersonEnd, type PersonRecord } from '#core/measurement/people.ts';
import { isOfOtherPage } from '#core/work/bodyCheck/errorTexts.ts';
import type { PeopleRules } from '#core/work/journey/people.ts';

/** A failed step of a journey. */
export interface StepFailure {
  readonly step: number;
  /** Status of the response; 0 if there was none. */
  readonly status: number;
  /** Name of the failed check, or of the reason why the request could not be sent; null if there is none. */
  readonly failure: string | null;
}

/** What has happened to one person so far. It takes a few dozen bytes, which are kept as long as the user. */
export class Person {
  readonly number: number;
  /** Whether the user has left for good. */
  hasLeft = false;
  private end: PersonEnd = 'underWay';
  private milestones = 0;
  private step: number | null = null;
  private cause = '';
  private items = 0;
  private gates = 0;
  private reloads = 0;
  private confirmed = 0;
  private notFound = 0;
  /** Numbers of acknowledged items that a later step must find, by the step that sent them; null before the first. */
  private unconfirmed: Map<number, number> | null = null;
  private changes = 0;
  private readonly row: number | null;

  constructor(number: number, row: number | null) {
    this.number = number;
    this.row = row;
  }

  /** Begins another journey after one that did not lead to the last milestone. */
  beginAgain(): void {
    if (this.end !== 'done') this.become('underWay');
  }

  reload(): void {
    this.reloads += 1;
    this.changes += 1;
  }

  /** Called when the person reaches a gate. `gate` is the index of the gate in the journey. A late user does not wait. */
  reachGate(gate: number, isLate: boolean): void {
    this.gates |= 1 << gate;
    this.changes += 1;
    if (!isLate) this.become('waiting');
  }

  leaveGate(): void {
    if (this.end === 'waiting') this.become('underWay');
  }

  /** Called when the person leaves because the bell has rung. */
  comeLate(): void {
    if (this.end !== 'done') this.become('late');
  }

  /** Called when a step had a successful response. `isConfirmed`: whether another step reads back what this step stored. */
  succeed(step: number, { milestones, items }: PeopleRules, isConfirmed: boolean): void {
    this.changes += 1;
    if (items.has(step)) {
      this.items += 1;
      if (isConfirmed) (this.unconfirmed ??= new Map<number, number>()).set(step, (this.unconfirmed.get(step) ?? 0) + 1);
    }
    const reached = milestones.findLastIndex((milestone) => milestone.step === step) + 1;
    this.milestones = Math.max(this.milestones, reached);
    if (reached === milestones.length) this.become('done');
  }

  /** Called after a step that reads items of `steps` back. `isFound`: whether it found all that were unconfirmed. */
  readBack(steps: readonly number[], isFound: boolean): void {
    for (const step of steps) {
      const count = this.unconfirmed?.get(step) ?? 0;
      if (isFound) this.confirmed += count;
      else this.notFound += count;
      this.unconfirmed?.delete(step);
    }
    this.changes += 1;
  }

  /** Called when the journey is over. `failed` is the last failed step of the journey; null if none failed. */
  endJourney(failed: StepFailure | null): void {
    if (this.end === 'done' || this.end === 'late' || this.end === 'turnedAway') return;
    if (failed === null) {
      this.become('ended');
      return;
    }
    const { code } = readErrorName(failed.failure ?? '');
    const isRefused = failed.status > 0 && failed.status < 500 && code !== 'WAITED_IN_VAIN';
    this.become(isRefused ? 'refused' : 'gaveUp');
    this.step = failed.step;
    this.cause = (failed.failure !== null ? code : failed.status > 0 ? String(failed.status) : 'NO_RESPONSE').slice(0, MAX_CAUSE_LENGTH);
  }

  /** Called when the person learns that no place is left. */
  turnAway(): void {
    if (this.end !== 'done') this.become('turnedAway');
  }

  leave(): void {
    this.hasLeft = true;
    this.changes += 1;
  }

  record(): PersonRecord {
    const { number: person, changes, end, milestones, step, cause, items, gates, reloads, confirmed, notFound, row } = this;
    return { person, changes, end, milestones, step, cause, items, gates, reloads, confirmed, notFound, row };
  }

  private become(end: PersonEnd): void {
    this.end = end;
    this.step = null;
    this.cause = '';
    this.changes += 1;
  }
}

export interface PersonReports {
  /** Called when something has happened to a person since the last report. */
  personChanged(person: Person): void;
}

/** What a step of a script defines about reading back. */
interface ConfirmationRules {
  readonly confirms: readonly number[];
  readonly isConfirmed: boolean;
}

/** Follows the person of one walk and reports each change. Without `reports`, as in a walk beside a journey, nothing changes. */
export class PersonTracker {
  private readonly memory: { readonly person: Person | null };
  private readonly rules: PeopleRules | null;
  private readonly reports: PersonReports | null;
  private failed: StepFailure | null = null;

  constructor(memory: { readonly person: Person | null }, rules: PeopleRules | null, reports: PersonReports | null) {
    this.memory = memory;
    this.rules = rules;
    this.reports = reports;
  }

  beginJourney(): void {
    this.failed = null;
    this.change(() => {});
  }

  /** Called when the person reaches a gate. `endsLateJourneys`: whether a late user leaves. */
  reachGate(gate: number, isLate: boolean, endsLateJourneys: boolean): void {
    this.change((person) => {
      person.reachGate(gate, isLate);
      if (isLate && endsLateJourneys) person.comeLate();
    });
  }

  leaveGate(): void {
    this.change((person) => person.leaveGate());
  }

  reload(): void {
    this.change((person) => person.reload());
  }

  succeed(step: number, { confirms, isConfirmed }: ConfirmationRules): void {
    const { rules } = this;
    if (rules === null) return;
    if (this.failed?.step === step) this.failed = null;
    this.change((person) => {
      person.succeed(step, rules, isConfirmed);
      if (confirms.length > 0) person.readBack(confirms, true);
    });
  }

  fail(failure: StepFailure, { confirms }: Pick<ConfirmationRules, 'confirms'>): void {
    this.failed = failure;
    // The requested page with other content shows that the items are not there. Another page, such as a login form, does not.
    const isShown = failure.status > 0 && failure.failure !== null && !isOfOtherPage(failure.failure);
    if (isShown && confirms.length > 0) this.change((person) => person.readBack(confirms, false));
  }

  turnAway(): void {
    this.change((person) => person.turnAway());
  }

  endJourney(): void {
    this.change((person) => person.endJourney(this.failed));
  }

  leave(): void {
    this.change((person) => person.leave());
  }

  private change(change: (person: Person) => void): void {
    const { person } = this.memory;
    if (person === null || this.reports === null) return;
    change(person);
    this.reports.personChanged(person);
  }
}
