import { captureSchema } from '#core/plan/schema/journey.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { valueName } from '../placeholders.ts';
import type { Source } from './decide.ts';
import type { ChangingName } from './fieldNames.ts';
import type { Leaf } from './leaves.ts';
import { placesOf } from './valueLocations.ts';
import type { FoundValue } from './schema.ts';
import type { Sessions } from './sessions.ts';
import type { Finder } from './takeCapture.ts';
import { lastOf, type Walk } from './walk.ts';
import { cookieName, cookieOf } from '#core/plan/valueNames.ts';

/** The existing and the new captures of a plan during correlation. */
export class Captures {
  /** Captured values, with the locations that they come from. */
  readonly found: FoundValue[] = [];
  /** Index of the redirect that needs a step of its own, by the name of the step that contains it. */
  readonly unfold = new Map<string, number>();
  private readonly plan: Plan;
  private readonly sessions: Sessions;
  private readonly names = new Set<string>();
  /** Captures by step, and for each step by name. */
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

  capturesOfStep(step: string): NonNullable<Step['captures']> {
    return [...(this.steps.get(step)?.values() ?? [])].map(({ as, finder }) => captureSchema.parse({ ...finder, as }));
  }

  /** Returns the first capture with this name in the steps that precede the step `before`. */
  before(name: string, before: string): { readonly from: string; readonly finder: Finder } | null {
    for (const { name: from } of this.plan.journey) {
      if (from === before) return null;
      const capture = this.steps.get(from)?.get(name);
      if (capture !== undefined) return { from, finder: capture.finder };
    }
    return null;
  }

  /** Returns the placeholder for a value from this source; null if a redirect must first become a step of its own. */
  readPlaceholder(found: Source, leaf: Leaf, step: string): string | null {
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
    const written = writeFinder(found.location.finder);
    const known = [...own.values()].find(({ finder }) => writeFinder(finder) === written);
    const captureName = known?.as ?? this.freeName(nameOfLeaf(leaf, found.location.called));
    own.set(captureName, { as: captureName, finder: found.location.finder });
    this.steps.set(found.from, own);
    const { kind, called } = found.location;
    if (!this.found.some(({ name }) => name === captureName))
      this.found.push({ name: captureName, from: found.from, kind, called, usedIn: step, usedAs: leaf.name });
    return `{{${captureName}}}`;
  }

  /** Returns the placeholder for a changing number in a field name. Reuses a capture of the same page that has the same results. */
  nameOf({ from, finder, before, value }: ChangingName, step: string): string {
    const called = before.split(/[^A-Za-z]+/).findLast((word) => word !== '') ?? 'field';
    const leaf: Leaf = { key: '', location: 'form', name: `${called}_number`, raw: value, value, isNumber: false };
    const capturedIn = (one: Finder, walk: Walk): string | null => this.sessions.take(one, walk, from);
    const { latest, evidence } = this.sessions;
    const same = [...(this.steps.get(from)?.values() ?? [])].find((capture) =>
      [latest, evidence.recorded].every((walk) => capturedIn(capture.finder, walk) === capturedIn(finder, walk)),
    );
    const location = { finder: same?.finder ?? finder, kind: 'field' as const, called: before, isRelated: true, isListed: false };
    return this.readPlaceholder({ is: 'capture', from, location }, leaf, step) ?? value;
  }

  freeName(called: string): string {
    const base = valueName(called).toLowerCase();
    let name = base;
    for (let number = 2; this.names.has(name); number += 1) name = `${base}_${number}`;
    this.names.add(name);
    return name;
  }

  /** Adds an existing capture and its location to `found`. */
  note(name: string, step: string, leaf: Leaf): void {
    const { recorded } = this.sessions.evidence;
    if (this.found.some((one) => one.name === name)) return;
    const called = cookieOf(name);
    if (called !== null) {
      const from = recorded.find(({ exchanges }) =>
        exchanges.some(({ responseHeaders }) => JSON.stringify(responseHeaders).includes(called)),
      );
      this.found.push({ name, from: from?.step ?? '', kind: 'cookie', called, usedIn: step, usedAs: leaf.name });
      return;
    }
    const capture = this.before(name, step);
    if (capture === null) return;
    const { from, finder } = capture;
    const value = this.sessions.findInRecording(finder, from);
    const walked = recorded.find((one) => one.step === from);
    const last = walked === undefined ? null : lastOf(walked);
    const sought = { value: value ?? '', leaf, prefix: '', isShort: false };
    const places = value === null || last === null ? [] : [...placesOf(sought, last, this.sessions.needles)];
    const written = writeFinder(finder);
    const location = places.find((one) => writeFinder(one.finder) === written) ?? places.find(({ isRelated }) => isRelated) ?? places[0];
    this.found.push({ name, from, kind: location?.kind ?? 'text', called: location?.called ?? name, usedIn: step, usedAs: leaf.name });
  }
}

/** Returns a name for a captured value: from the request, or else from the response. */
function nameOfLeaf({ location, name }: Leaf, called: string): string {
  if (location === 'path') return `${name}_id`;
  return name === '' ? (called.split(/[^\w-]+/).findLast((word) => /[a-z]/i.test(word)) ?? '') : name;
}

/** Returns a finder as JSON with its defaults, for comparison. */
function writeFinder(finder: Finder): string {
  return JSON.stringify(captureSchema.parse({ ...finder, as: 'value' }));
}
