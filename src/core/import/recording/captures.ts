import { captureSchema } from '#core/plan/schema/journey.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { valueName } from '../placeholders.ts';
import type { Source } from './decide.ts';
import type { ChangingName } from './fieldNames.ts';
import type { Leaf } from './leaves.ts';
import { placesOf } from './places.ts';
import type { FoundValue } from './schema.ts';
import type { Sessions } from './sessions.ts';
import type { Finder } from './takeCapture.ts';
import { lastOf, type Walk } from './walk.ts';
import { cookieName, cookieOf } from '#core/plan/valueNames.ts';

/** The captures of a plan that is being made: those that it had, and those found. */
export class Captures {
  /** Those that the plan has had or gets, with their reasons. */
  readonly found: FoundValue[] = [];
  /** Steps whose redirect has to be followed by a step of its own, with the redirect's number. */
  readonly unfold = new Map<string, number>();
  private readonly plan: Plan;
  private readonly sessions: Sessions;
  private readonly names = new Set<string>();
  /** By the step they belong to and their name. */
  private readonly steps = new Map<string, Map<string, { as: string; finder: Finder }>>();

  constructor(plan: Plan, sessions: Sessions) {
    this.plan = plan;
    this.sessions = sessions;
    for (const name of [...Object.keys(plan.variables ?? {}), ...Object.keys(plan.feeds ?? {}), 'cookie', 'target']) this.names.add(name);
    for (const step of plan.journey) {
      const own = new Map<string, { as: string; finder: Finder }>();
      for (const { as, ...finder } of step.captures ?? []) {
        own.set(as, { as, finder });
        this.names.add(as);
      }
      this.steps.set(step.name, own);
    }
  }

  of(step: string): NonNullable<Step['captures']> {
    return [...(this.steps.get(step)?.values() ?? [])].map(({ as, finder }) => captureSchema.parse({ ...finder, as }));
  }

  /** The capture with that name of the first step that has it, if that is before this one. */
  before(name: string, before: string): { readonly from: string; readonly finder: Finder } | null {
    for (const { name: from } of this.plan.journey) {
      if (from === before) return null;
      const capture = this.steps.get(from)?.get(name);
      if (capture !== undefined) return { from, finder: capture.finder };
    }
    return null;
  }

  /** What a request has in place of a value that comes from there; null where a redirect has to be followed by a step of its own first. */
  placeholderOf(found: Source, leaf: Leaf, step: string): string | null {
    if (found.is === 'unfold') {
      this.unfold.set(found.step, found.hop);
      return null;
    }
    if (found.is === 'cookie') {
      const name = cookieName(found.name);
      this.note(name, step, leaf);
      return `{{${name}}}`;
    }
    const own = this.steps.get(found.from) ?? new Map<string, { as: string; finder: Finder }>();
    const written = writtenOf(found.place.finder);
    const known = [...own.values()].find(({ finder }) => writtenOf(finder) === written);
    const as = known?.as ?? this.freeName(calledBy(leaf, found.place.called));
    own.set(as, { as, finder: found.place.finder });
    this.steps.set(found.from, own);
    const { kind, called } = found.place;
    if (!this.found.some(({ name }) => name === as))
      this.found.push({ name: as, from: found.from, kind, called, usedIn: step, usedAs: leaf.name });
    return `{{${as}}}`;
  }

  /** What a name of a field has in place of a number that a page gave it. What the step has taken of that page already is taken once. */
  nameOf({ from, finder, before, value }: ChangingName, step: string): string {
    const called = before.split(/[^A-Za-z]+/).findLast((word) => word !== '') ?? 'field';
    const leaf: Leaf = { key: '', place: 'form', name: `${called}_number`, raw: value, value, isNumber: false };
    const taken = (one: Finder, walk: Walk): string | null => this.sessions.take(one, walk, from);
    const { latest, evidence } = this.sessions;
    const same = [...(this.steps.get(from)?.values() ?? [])].find((capture) =>
      [latest, evidence.recorded].every((walk) => taken(capture.finder, walk) === taken(finder, walk)),
    );
    const place = { finder: same?.finder ?? finder, kind: 'field' as const, called: before, isRelated: true, isListed: false };
    return this.placeholderOf({ is: 'capture', from, place }, leaf, step) ?? value;
  }

  /** A name that nothing has so far. */
  freeName(called: string): string {
    const base = valueName(called).toLowerCase();
    let name = base;
    for (let number = 2; this.names.has(name); number += 1) name = `${base}_${number}`;
    this.names.add(name);
    return name;
  }

  /** A capture that the plan had before, with its reason. */
  note(name: string, step: string, leaf: Leaf): void {
    const { recorded } = this.sessions.evidence;
    if (this.found.some((one) => one.name === name)) return;
    const called = cookieOf(name);
    if (called !== null) {
      const from = recorded.find(({ exchanges }) => exchanges.some(({ answerHeaders }) => JSON.stringify(answerHeaders).includes(called)));
      this.found.push({ name, from: from?.step ?? '', kind: 'cookie', called, usedIn: step, usedAs: leaf.name });
      return;
    }
    const capture = this.before(name, step);
    if (capture === null) return;
    const { from, finder } = capture;
    const value = this.sessions.inRecording(finder, from);
    const walked = recorded.find((one) => one.step === from);
    const last = walked === undefined ? null : lastOf(walked);
    const sought = { value: value ?? '', leaf, prefix: '', isShort: false };
    const places = value === null || last === null ? [] : [...placesOf(sought, last, this.sessions.needles)];
    const written = writtenOf(finder);
    const place = places.find((one) => writtenOf(one.finder) === written) ?? places.find(({ isRelated }) => isRelated) ?? places[0];
    this.found.push({ name, from, kind: place?.kind ?? 'text', called: place?.called ?? name, usedIn: step, usedAs: leaf.name });
  }
}

/** How a captured value is called: as the request calls it, or else as the response does. */
function calledBy({ place, name }: Leaf, called: string): string {
  if (place === 'path') return `${name}_id`;
  return name === '' ? (called.split(/[^\w-]+/).findLast((word) => /[a-z]/i.test(word)) ?? '') : name;
}

/** A finder with all that it says by default. */
function writtenOf(finder: Finder): string {
  return JSON.stringify(captureSchema.parse({ ...finder, as: 'value' }));
}
