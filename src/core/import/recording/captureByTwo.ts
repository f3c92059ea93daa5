import { getOwn } from '#core/base/ownMembers.ts';
import { captureSchema } from '#core/plan/schema/journey.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { namesIn } from '#core/plan/secrets.ts';
import { isSecretField, isSecretHeader } from '#core/plan/secretShapes.ts';
import { literal, valueName } from '../placeholders.ts';
import { innerValues, withInner } from './innerValues.ts';
import { type Leaf, looksGenerated, partsOf, planLeaves, recordedLeaves, withLeaf } from './leaves.ts';
import type { PlaceKind } from './place.ts';
import { placesOf } from './places.ts';
import { decide, type Source } from './decide.ts';
import { type Evidence, Sessions } from './sessions.ts';
import type { Finder } from './takeCapture.ts';
import { type Exchange, lastOf, type Walk } from './walk.ts';

/** A value of a request that came from an earlier response. */
export interface FoundValue {
  /** As `{{name}}` in the plan. */
  readonly name: string;
  /** The step whose response it is taken of. */
  readonly from: string;
  readonly kind: PlaceKind;
  /** What it is called there. */
  readonly called: string;
  /** The first step that sends it, and as what. */
  readonly usedIn: string;
  readonly usedAs: string;
}

/** A value that was found by its shape and is the same in every session. */
export interface ConstantValue {
  readonly step: string;
  readonly called: string;
}

export interface Correlated {
  readonly plan: Plan;
  readonly captured: readonly FoundValue[];
  readonly constant: readonly ConstantValue[];
  /** Steps whose redirect brings a value that no other response brings: it has to be followed by a step of its own. */
  readonly unfold: readonly { readonly step: string; readonly hop: number }[];
  readonly isChanged: boolean;
}

/** Keeps a value that must not be in a plan, and returns its reference. */
interface Keeping {
  readonly secretFor: (called: string, value: string) => string;
}

const LONGEST_VALUE = 65_000;

/**
 * Lays a recording and further walks of the same journey side by side. A value that came from an earlier response in each, is another in one of them, and is sent later
 * becomes a capture; one that stays the same is constant, whatever it looks like.
 */
export function captureByTwo(plan: Plan, evidence: Evidence & Keeping): Correlated {
  const stops = captureInTurns(plan, evidence);
  let next = stops.next();
  while (next.done !== true) next = stops.next();
  return next.value;
}

/** The same with stops, some milliseconds from one to the next: others may have their turn there. */
export function* captureInTurns(plan: Plan, evidence: Evidence & Keeping): Generator<void, Correlated> {
  return yield* new Correlation(plan, evidence).result();
}

class Correlation {
  private readonly plan: Plan;
  private readonly sessions: Sessions;
  private readonly secretFor: Keeping['secretFor'];
  private readonly names = new Set<string>();
  /** Captures by the step they belong to and their finder, with their name. */
  private readonly captures = new Map<string, Map<string, { as: string; finder: Finder }>>();
  private readonly captured: FoundValue[] = [];
  private readonly constant: ConstantValue[] = [];
  /** What is the same for everybody and secret all the same, by the names of variables. */
  private readonly secrets = new Map<string, string>();
  private readonly unfold = new Map<string, number>();

  constructor(plan: Plan, { secretFor, ...evidence }: Evidence & Keeping) {
    this.plan = plan;
    this.secretFor = secretFor;
    this.sessions = new Sessions(
      evidence,
      plan.journey.map(({ name }) => name),
    );
    for (const name of [...Object.keys(plan.variables ?? {}), ...Object.keys(plan.feeds ?? {}), 'cookie', 'target']) this.names.add(name);
    for (const step of plan.journey) {
      const own = new Map<string, { as: string; finder: Finder }>();
      for (const { as, ...finder } of step.captures ?? []) {
        own.set(as, { as, finder });
        this.names.add(as);
      }
      this.captures.set(step.name, own);
    }
  }

  private get recorded(): Walk {
    return this.sessions.evidence.recorded;
  }

  *result(): Generator<void, Correlated> {
    yield* this.sessions.read();
    const journey: Step[] = [];
    for (const step of this.plan.journey) journey.push(yield* this.withValues(step));
    const used = new Set(journey.flatMap((step) => planLeaves(step).flatMap(({ text }) => (text === null ? [] : namesIn(text)))));
    const finished = journey.map((step): Step => {
      const captures = [...(this.captures.get(step.name)?.values() ?? [])]
        .filter(({ as }) => used.has(as))
        .map(({ as, finder }) => captureSchema.parse({ ...finder, as }));
      const { captures: _before, ...rest } = step;
      return captures.length === 0 ? rest : { ...rest, captures };
    });
    const secrets = [...this.secrets].map(([name, secret]) => [name, { kind: 'secret' as const, secret }] as const);
    const variables = Object.fromEntries([...Object.entries(this.plan.variables ?? {}), ...secrets].filter(([name]) => used.has(name)));
    const { variables: _all, ...rest } = this.plan;
    const plan: Plan = { ...rest, journey: finished, ...(Object.keys(variables).length === 0 ? {} : { variables }) };
    return {
      plan,
      captured: this.captured.filter(({ name }) => used.has(name) || name.startsWith('cookie.')),
      constant: this.constant,
      unfold: [...this.unfold].map(([step, hop]) => ({ step, hop })),
      isChanged: JSON.stringify(plan) !== JSON.stringify(this.plan),
    };
  }

  private *withValues(step: Step): Generator<void, Step> {
    const request = this.recorded.find((one) => one.step === step.name)?.exchanges[0];
    if (request === undefined) return step;
    const leaves = new Map(recordedLeaves(request).map((leaf) => [leaf.key, leaf]));
    let now = step;
    for (const { key, text } of planLeaves(step)) {
      const leaf = leaves.get(key);
      if (leaf === undefined || leaf.value === '' || leaf.value.length > LONGEST_VALUE) continue;
      now = yield* this.withLeaf(now, leaf, text, leaf.place === 'path' ? pathBefore(request, key) : '');
    }
    return now;
  }

  private *withLeaf(step: Step, leaf: Leaf, text: string | null, prefix: string): Generator<void, Step> {
    const names = text === null ? [] : namesIn(text);
    if (names.some((name) => this.isGiven(name))) {
      for (const name of names) this.note(name, step.name, leaf);
      return yield* this.withInner(step, leaf, text);
    }
    const isCaptured = names.some((name) => name.startsWith('cookie.') || this.ownerOf(name, step.name) !== null);
    if (isCaptured && names.every((name) => this.stays(name, step.name, leaf, prefix))) {
      for (const name of names) this.note(name, step.name, leaf);
      return yield* this.withInner(step, leaf, text);
    }
    const whole = yield* decide(this.sessions, { value: leaf.value, leaf, step: step.name, prefix });
    if (whole.is === 'changing') {
      const placeholder = this.placeholderOf(whole.source, leaf, step.name);
      return placeholder === null ? step : withLeaf(step, leaf.key, leaf.isNumber ? placeholder.replace('}}', '|raw}}') : placeholder);
    }
    // What is there as a whole, and cannot be told anything of so far, is not taken apart.
    const isWhole =
      leaf.place !== 'body' &&
      (whole.is !== 'unknown' || (looksGenerated(leaf.value) && this.sessions.isInRecording(leaf.value, step.name)));
    const parts = isWhole ? null : yield* this.withParts(leaf, step.name, prefix);
    if (parts?.text !== undefined) return yield* this.withInner(withLeaf(step, leaf.key, parts.text), leaf, parts.text);
    const within = parts === null || isCaptured ? step : yield* this.withInner(step, leaf, text);
    if (within !== step) return within;
    if (!isCaptured || whole.is === 'unknown' || (parts?.isUnknown ?? false)) return isCaptured ? this.keepOrFree(step, leaf, names) : step;
    return this.made(step, leaf);
  }

  /** Of a value that holds others by their names: `"key":"1tay9"` in the text of an editor, `/posts/9` in a parameter. */
  private *withInner(step: Step, leaf: Leaf, text: string | null): Generator<void, Step> {
    let written = text ?? '';
    for (const inner of innerValues(leaf)) {
      if (withInner(written, inner, '') === null) continue;
      const decision = yield* decide(this.sessions, { value: inner.leaf.value, leaf: inner.leaf, step: step.name, prefix: inner.prefix });
      const placeholder = decision.is === 'changing' ? this.placeholderOf(decision.source, inner.leaf, step.name) : null;
      if (placeholder !== null) written = withInner(written, inner, placeholder) ?? written;
    }
    return written === (text ?? '') ? step : withLeaf(step, leaf.key, written);
  }

  /** Of what was captured by shape and cannot be told anything of: it stays, unless it was looked for and is not there. */
  private keepOrFree(step: Step, leaf: Leaf, names: readonly string[]): Step {
    const isGone = names.some((name) => {
      const owner = this.ownerOf(name, step.name);
      const capture = owner === null ? undefined : this.captures.get(owner)?.get(name);
      if (owner === null || capture === undefined || !this.sessions.isTrusted(owner)) return false;
      return this.sessions.take(capture.finder, this.sessions.latest, owner) === null;
    });
    if (isGone) return this.made(step, leaf);
    for (const name of names) this.note(name, step.name, leaf);
    return step;
  }

  private made(step: Step, leaf: Leaf): Step {
    this.constant.push({ step: step.name, called: leaf.name });
    if (leaf.place === 'header' ? isSecretHeader(leaf.name, leaf.value) : isSecretField(leaf.name, leaf.value)) {
      const secret = this.secretFor(leaf.name, leaf.value);
      const known = [...this.secrets].find(([, reference]) => reference === secret)?.[0];
      const name = known ?? this.freeName(leaf.name);
      this.secrets.set(name, secret);
      return withLeaf(step, leaf.key, `{{${name}}}`);
    }
    return withLeaf(step, leaf.key, leaf.isNumber ? Number(leaf.value) : literal(leaf.raw));
  }

  /** What is given by the plan: a user name, a password, something made up. A secret that only a name made one is not. */
  private isGiven(name: string): boolean {
    const [first = ''] = name.split('.', 1);
    if (Object.hasOwn(this.plan.feeds ?? {}, first)) return true;
    const variable = getOwn(this.plan.variables, name);
    return variable !== undefined && (variable.kind !== 'secret' || /^(username|password|login)(_\d+)?$/.test(name));
  }

  private ownerOf(name: string, before: string): string | null {
    for (const { name: step } of this.plan.journey) {
      if (step === before) return null;
      if (this.captures.get(step)?.has(name) === true) return step;
    }
    return null;
  }

  /** Whether a capture that the plan has already does what it should: it is there in the latest walk, and another in one of them. */
  private stays(name: string, step: string, leaf: Leaf, prefix: string): boolean {
    if (name.startsWith('cookie.')) {
      const cookie = name.slice('cookie.'.length);
      return this.sessions.isOtherCookie(cookie, step) ?? true;
    }
    const owner = this.ownerOf(name, step);
    const capture = owner === null ? undefined : this.captures.get(owner)?.get(name);
    if (owner === null || capture === undefined) return false;
    const value = this.sessions.inRecording(capture.finder, owner);
    if (value === null || !this.sessions.isTrusted(owner)) return value !== null;
    const now = this.sessions.take(capture.finder, this.sessions.latest, owner);
    if (now === null) return false;
    if (this.sessions.differs(capture.finder, owner, value))
      return !looksGenerated(value) || !this.sessions.mayBeConstant(value, step) || this.sessions.isWritten(owner);
    return (
      this.sessions.isCreated(owner) ||
      (!this.sessions.evidence.hasOtherAccount &&
        isOfAccount(this.recorded, owner, `${JSON.stringify(capture.finder)} ${leaf.name} ${prefix}`))
    );
  }

  /** Of a value that holds others between signs: `Bearer TOKEN`, `return=/a?state=TOKEN`. */
  private *withParts(leaf: Leaf, step: string, prefix: string): Generator<void, { readonly text?: string; readonly isUnknown: boolean }> {
    let isUnknown = false;
    for (const parts of partsOf(leaf.value)) {
      let text = literal(leaf.raw);
      let isFound = false;
      for (const part of parts) {
        const decision = yield* decide(this.sessions, { value: part, leaf, step, prefix });
        if (decision.is === 'unknown') isUnknown = true;
        if (decision.is !== 'changing') continue;
        const placeholder = this.placeholderOf(decision.source, leaf, step);
        const written = [part, encodeURIComponent(part.toWellFormed())].find((form) => text.includes(form));
        if (placeholder === null || written === undefined) continue;
        text = text.replaceAll(written, placeholder);
        isFound = true;
      }
      if (isFound) return { text, isUnknown: false };
    }
    return { isUnknown };
  }

  private placeholderOf(found: Source, leaf: Leaf, step: string): string | null {
    if (found.is === 'unfold') {
      this.unfold.set(found.step, found.hop);
      return null;
    }
    if (found.is === 'cookie') {
      this.note(`cookie.${found.name}`, step, leaf);
      return `{{cookie.${found.name}}}`;
    }
    const own = this.captures.get(found.from) ?? new Map<string, { as: string; finder: Finder }>();
    const written = writtenOf(found.place.finder);
    const known = [...own.values()].find(({ finder }) => writtenOf(finder) === written);
    const as = known?.as ?? this.freeName(calledBy(leaf, found.place.called));
    own.set(as, { as, finder: found.place.finder });
    this.captures.set(found.from, own);
    const { kind, called } = found.place;
    if (!this.captured.some(({ name }) => name === as))
      this.captured.push({ name: as, from: found.from, kind, called, usedIn: step, usedAs: leaf.name });
    return `{{${as}}}`;
  }

  private freeName(called: string): string {
    const base = valueName(called).toLowerCase();
    let name = base;
    for (let number = 2; this.names.has(name); number += 1) name = `${base}_${number}`;
    this.names.add(name);
    return name;
  }

  /** A capture that the plan had before, with its reason. */
  private note(name: string, step: string, leaf: Leaf): void {
    if (this.captured.some((one) => one.name === name)) return;
    if (name.startsWith('cookie.')) {
      const called = name.slice('cookie.'.length);
      const from = this.recorded.find(({ exchanges }) =>
        exchanges.some(({ answerHeaders }) => JSON.stringify(answerHeaders).includes(called)),
      );
      this.captured.push({ name, from: from?.step ?? '', kind: 'cookie', called, usedIn: step, usedAs: leaf.name });
      return;
    }
    const owner = this.ownerOf(name, step);
    const finder = owner === null ? undefined : this.captures.get(owner)?.get(name)?.finder;
    if (owner === null || finder === undefined) return;
    const value = this.sessions.inRecording(finder, owner);
    const walked = this.recorded.find((one) => one.step === owner);
    const last = walked === undefined ? null : lastOf(walked);
    const sought = { value: value ?? '', leaf, prefix: '', isShort: false };
    const [place] = value === null || last === null ? [] : placesOf(sought, last, this.sessions.needles);
    this.captured.push({ name, from: owner, kind: place?.kind ?? 'text', called: place?.called ?? name, usedIn: step, usedAs: leaf.name });
  }
}

/** How a captured value is called: as the request calls it, or else as the response does. */
function calledBy({ place, name }: Leaf, called: string): string {
  if (place === 'path') return `${name}_id`;
  return name === '' ? (called.split(/[^\w-]+/).findLast((word) => /[a-z]/i.test(word)) ?? '') : name;
}

/** Without a second account, what belongs to an account looks constant: what is called so, and what the login brought. */
function isOfAccount(recorded: Walk, owner: string, words: string): boolean {
  const exchanges = recorded.find(({ step }) => step === owner)?.exchanges ?? [];
  const isLogin = exchanges.some(({ body, fields }) => /holdfast-password-\d/.test(`${body ?? ''}${JSON.stringify(fields ?? [])}`));
  return isLogin || /user|account|member|profile|owner|person|customer|author/i.test(words);
}

/** A finder with all that it says by default. */
function writtenOf(finder: Finder): string {
  return JSON.stringify(captureSchema.parse({ ...finder, as: 'value' }));
}

function pathBefore({ url }: Exchange, key: string): string {
  const index = Number(key.slice('path.'.length));
  return URL.canParse(url) ? `${new URL(url).pathname.split('/').slice(0, index).join('/')}/` : '';
}
