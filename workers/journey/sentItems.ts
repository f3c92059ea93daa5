import { normalizeMarker } from '#core/plan/schema/populate.ts';
import { fillTemplate } from '#core/plan/secrets.ts';
import type { ScriptStep } from './script.ts';
import { MissingValueError, type UserMemory } from './userMemory.ts';

export interface ItemReports {
  /**
   * Called for a sent item with a marker, whether acknowledged or not. `count` is the index of the count in the plan; `person` is the
   * number of the user.
   */
  sentItem(count: number, item: { readonly marker: string; readonly person: number; readonly isAcknowledged: boolean }): void;
}

/** Items that a journey sends to be stored: reports those with markers, and knows which still need confirmation. */
export class SentItems {
  private readonly memory: UserMemory;
  private readonly valueOf: (name: string) => string;
  private readonly reports: ItemReports | null;
  /** Values that the step's request has sent and its response captures again. */
  private readonly values = new Map<string, string>();
  /** Indexes of steps whose acknowledged items are unconfirmed in this journey. */
  private readonly unconfirmed = new Set<number>();

  constructor(memory: UserMemory, valueOf: (name: string) => string, reports: ItemReports | null) {
    this.memory = memory;
    this.valueOf = valueOf;
    this.reports = reports;
  }

  get areUnconfirmed(): boolean {
    return this.unconfirmed.size > 0;
  }

  forget(): void {
    this.unconfirmed.clear();
  }

  awaitConfirmation(step: number): void {
    this.unconfirmed.add(step);
  }

  confirm(steps: readonly number[]): void {
    for (const step of steps) this.unconfirmed.delete(step);
  }

  /** Keeps the values that mark the items of a step before its response replaces them. */
  keepValues({ replacedNames }: ScriptStep): void {
    this.values.clear();
    for (const name of replacedNames) this.values.set(name, this.valueOf(name));
  }

  /** Reports the items of a step by their markers; a marker with a missing value is left out. */
  report({ markers }: ScriptStep, isAcknowledged: boolean): void {
    for (const { count, template } of this.reports === null ? [] : markers) {
      try {
        const marker = normalizeMarker(fillTemplate(template, ({ name }) => this.values.get(name) ?? this.valueOf(name)));
        this.reports?.sentItem(count, { marker, person: this.memory.visit.user, isAcknowledged });
      } catch (thrown) {
        if (!(thrown instanceof MissingValueError)) throw thrown;
      }
    }
  }
}
