import type { Script, ScriptStep } from './script.ts';
import type { UserMemory } from './userMemory.ts';

/** Repeats logins that a user's journey has lost: when they have reached their maximum age, or when a response asks for a new one. */
export class LoginRenewal {
  /** Whether the current step was repeated after a new login. */
  wasRenewed = false;
  /** Positions of the logins to repeat before the current step of the route, in order. */
  private positions: number[] = [];
  /** Whether the response to the current step asked for a new login. The step is repeated once after that login. */
  private isDue = false;
  private readonly script: Script;
  private readonly memory: UserMemory;

  constructor(script: Script, memory: UserMemory) {
    this.script = script;
    this.memory = memory;
  }

  /** Position of the login to send next; null if none is due. */
  get next(): number | null {
    return this.positions[0] ?? null;
  }

  reset(): void {
    this.positions = [];
    this.isDue = false;
    this.wasRenewed = false;
  }

  /** Schedules logins that have reached their maximum age before the step at `current`. */
  scheduleByAge(current: number): void {
    if (this.script.renews && this.next === null)
      this.positions = this.find(current, (renew, login) => (this.memory.ageMs(login) ?? -1) >= renew.afterMs);
  }

  /** Returns whether a response with this status asks for a new login, and schedules it. */
  scheduleByStatus(current: number, status: number): boolean {
    if (!this.script.renews || this.wasRenewed || this.next !== null) return false;
    this.positions = this.find(current, ({ statuses }, login) => statuses.has(status) && this.memory.hasTaken(login));
    this.isDue = this.next !== null;
    return this.isDue;
  }

  /** Returns whether the settled response asked for a new login. Its step is then repeated. */
  takeDue(): boolean {
    const { isDue } = this;
    this.isDue = false;
    this.wasRenewed ||= isDue;
    return isDue;
  }

  /** Returns the position of the login that was settled; null if the settled step was not a login. */
  takeSettled(): number | null {
    return this.positions.shift() ?? null;
  }

  private find(current: number, isWanted: (renew: NonNullable<ScriptStep['renew']>, position: number) => boolean): number[] {
    return this.script.steps.flatMap(({ renew }, position) =>
      renew !== null && position !== current && isWanted(renew, position) ? [position] : [],
    );
  }
}
