import { captureSchema } from '#core/plan/schema/journey.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { namesIn } from '#core/plan/secrets.ts';
import { isSecretField, isSecretHeader } from '#core/plan/secretShapes.ts';
import { literal, valueName } from '../placeholders.ts';
import { type Leaf, planLeaves, recordedLeaves, withLeaf } from './leaves.ts';
import { type Place, type PlaceKind, placesOf } from './places.ts';
import { type Finder, takeCapture } from './takeCapture.ts';
import { cookiesBefore, type Exchange, lastOf, type Walk, type WalkedStep } from './walk.ts';
import { trustedSteps } from './compareWalks.ts';

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

export interface Evidence {
  /** What the person did. */
  readonly recorded: Walk;
  /** The same journey walked by Holdfast, each time anew; the last one is the one that the plan as it is led to. */
  readonly walks: readonly Walk[];
  /** Whether one of the walks was that of another account than the recorded one. */
  readonly hasOtherAccount: boolean;
  /** Keeps a value that must not be in a plan, and returns its reference. */
  readonly secretFor: (called: string, value: string) => string;
}

/** Looks older than this are no use: a value is taken from one of the latest responses that have it. */
const MOST_LOOKED_AT = 40;
const LONGEST_VALUE = 65_000;
const MOST_PARTS = 30;

/**
 * Lays a recording and further walks of the same journey side by side. A value that came from an earlier response in each, is another in one of them, and is sent later
 * becomes a capture; one that stays the same is constant, whatever it looks like.
 */
export function captureByTwo(plan: Plan, evidence: Evidence): Correlated {
  return new Correlation(plan, evidence).result();
}

type Found =
  | { readonly is: 'capture'; readonly from: string; readonly place: Place }
  | { readonly is: 'cookie'; readonly name: string }
  | { readonly is: 'unfold'; readonly step: string; readonly hop: number };

type Decision = { readonly is: 'changing'; readonly found: Found } | { readonly is: 'constant' | 'unknown' };

class Correlation {
  private readonly plan: Plan;
  private readonly evidence: Evidence;
  private readonly latest: Walk;
  private readonly latestTrusted: ReadonlySet<string>;
  private readonly trusted: readonly { readonly walk: Walk; readonly steps: ReadonlySet<string> }[];
  private readonly names = new Set<string>();
  /** Captures by the step they belong to and their finder, with their name. */
  private readonly captures = new Map<string, Map<string, { as: string; finder: Finder }>>();
  private readonly captured: FoundValue[] = [];
  private readonly constant: ConstantValue[] = [];
  /** What is the same for everybody and secret all the same, by the names of variables. */
  private readonly secrets = new Map<string, string>();
  private readonly unfold = new Map<string, number>();

  constructor(plan: Plan, evidence: Evidence) {
    this.plan = plan;
    this.evidence = evidence;
    this.latest = evidence.walks.at(-1) ?? [];
    this.trusted = evidence.walks.map((walk) => ({ walk, steps: trustedSteps(evidence.recorded, walk) }));
    this.latestTrusted = this.trusted.at(-1)?.steps ?? new Set();
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

  result(): Correlated {
    const journey = this.plan.journey.map((step) => this.withValues(step));
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

  private withValues(step: Step): Step {
    const recorded = this.evidence.recorded.find((one) => one.step === step.name);
    const request = recorded?.exchanges[0];
    if (request === undefined) return step;
    const leaves = new Map(recordedLeaves(request).map((leaf) => [leaf.key, leaf]));
    const prefixes = new Map<string, string>();
    return planLeaves(step).reduce((now, { key, text }) => {
      const leaf = leaves.get(key);
      if (leaf === undefined || leaf.value === '' || leaf.value.length > LONGEST_VALUE) return now;
      prefixes.set(key, leaf.place === 'path' ? pathBefore(request, key) : '');
      return this.withLeaf(now, leaf, text, prefixes.get(key) ?? '');
    }, step);
  }

  private withLeaf(step: Step, leaf: Leaf, text: string | null, prefix: string): Step {
    const names = text === null ? [] : namesIn(text);
    if (names.some((name) => this.isGiven(name))) return step;
    const isCaptured = names.some((name) => name.startsWith('cookie.') || this.ownerOf(name, step.name) !== null);
    if (isCaptured && names.every((name) => this.stays(name, step.name, leaf, prefix))) {
      for (const name of names) this.note(name, step.name, leaf);
      return step;
    }
    const whole = this.decide(leaf.value, leaf, step.name, prefix);
    if (whole.is === 'changing') {
      const placeholder = this.placeholderOf(whole.found, leaf, step.name);
      return placeholder === null ? step : withLeaf(step, leaf.key, leaf.isNumber ? placeholder.replace('}}', '|raw}}') : placeholder);
    }
    // What is there as a whole, and cannot be told anything of so far, is not taken apart.
    const isWhole = leaf.place !== 'body' && (whole.is !== 'unknown' || this.isInRecording(leaf.value, step.name));
    const parts = isWhole ? null : this.withParts(leaf, step.name, prefix);
    if (parts?.text !== undefined) return withLeaf(step, leaf.key, parts.text);
    if (!isCaptured || whole.is === 'unknown' || (parts?.isUnknown ?? false)) return isCaptured ? this.keepOrFree(step, leaf, names) : step;
    return this.made(step, leaf);
  }

  /** Of what was captured by shape and cannot be told anything of: it stays, unless it was looked for and is not there. */
  private keepOrFree(step: Step, leaf: Leaf, names: readonly string[]): Step {
    const isGone = names.some((name) => {
      const owner = this.ownerOf(name, step.name);
      const capture = owner === null ? undefined : this.captures.get(owner)?.get(name);
      if (owner === null || capture === undefined || !this.latestTrusted.has(owner)) return false;
      return this.take(capture.finder, this.latest, owner) === null;
    });
    if (isGone) return this.made(step, leaf);
    for (const name of names) this.note(name, step.name, leaf);
    return step;
  }

  private made(step: Step, leaf: Leaf): Step {
    this.constant.push({ step: step.name, called: leaf.name });
    if (leaf.place === 'header' ? isSecretHeader(leaf.name, leaf.value) : isSecretField(leaf.name)) {
      const secret = this.evidence.secretFor(leaf.name, leaf.value);
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
    const variable = Object.hasOwn(this.plan.variables ?? {}, name) ? this.plan.variables?.[name] : undefined;
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
      return this.isOtherCookie(cookie, step) ?? true;
    }
    const owner = this.ownerOf(name, step);
    const capture = owner === null ? undefined : this.captures.get(owner)?.get(name);
    if (owner === null || capture === undefined) return false;
    const value = this.take(capture.finder, this.evidence.recorded, owner);
    if (value === null || !this.latestTrusted.has(owner)) return value !== null;
    const now = this.take(capture.finder, this.latest, owner);
    if (now === null) return false;
    if (this.differs(capture.finder, owner, value))
      return !looksGenerated(value) || !this.mayBeConstant(value, step) || this.isWritten(owner);
    return this.isCreated(owner) || (!this.evidence.hasOtherAccount && this.isOfAccount(owner, capture.finder, leaf, prefix));
  }

  /** What a request made has a number of its own, even if a server counts anew for each who asks. */
  private isCreated(owner: string): boolean {
    return this.isWritten(owner) && this.evidence.recorded.find(({ step }) => step === owner)?.exchanges[0]?.status === 201;
  }

  /** Without a second account, what belongs to an account looks constant. */
  private isOfAccount(owner: string, finder: Finder, leaf: Leaf, prefix: string): boolean {
    const words = `${JSON.stringify(finder)} ${leaf.name} ${prefix}`;
    const recorded = this.evidence.recorded.find(({ step }) => step === owner);
    const isLogin = recorded?.exchanges.some(({ body, fields }) =>
      /holdfast-password-\d/.test(`${body ?? ''}${JSON.stringify(fields ?? [])}`),
    );
    return isLogin === true || /user|account|member|profile|owner|person|customer|author/i.test(words);
  }

  private decide(value: string, leaf: Leaf, step: string, prefix: string): Decision {
    if (!isWorthLooking(value, leaf)) return { is: 'unknown' };
    const cookie = [...cookiesBefore(this.evidence.recorded, step)].find(([, text]) => text === value && value.length >= 6);
    if (cookie !== undefined) {
      const isOther = this.isOtherCookie(cookie[0], step);
      if (isOther === true && /^[\w.-]{1,100}$/.test(cookie[0])) return { is: 'changing', found: { is: 'cookie', name: cookie[0] } };
      if (isOther === false) return { is: 'constant' };
    }
    const isStrong = looksGenerated(value);
    let isConstant = false;
    let isRelatedConstant = false;
    let isUnknown = false;
    let hop: Found | null = null;
    for (const recorded of this.before(step).toReversed().slice(0, MOST_LOOKED_AT)) {
      const last = lastOf(recorded);
      if (last === null) continue;
      const places = placesOf(value, last, leaf, prefix);
      if (!this.latestTrusted.has(recorded.step)) isUnknown ||= places.length > 0;
      else {
        for (const place of places) {
          const now = this.take(place.finder, this.latest, recorded.step);
          if (now === null || now === '') continue;
          if (!this.differs(place.finder, recorded.step, value)) {
            isConstant = true;
            isRelatedConstant ||= place.isRelated;
            continue;
          }
          if (!isAkin(value, now) || !(isStrong || place.isRelated)) continue;
          const mayStay = isStrong ? this.mayBeConstant(value, step) : isRelatedConstant;
          if (mayStay && !(place.isRelated && this.isWritten(recorded.step))) continue;
          return { is: 'changing', found: { is: 'capture', from: recorded.step, place } };
        }
      }
      hop ??= this.hopWith(value, recorded, leaf, prefix);
    }
    if (hop !== null && !isConstant) return { is: 'changing', found: hop };
    return { is: isConstant ? 'constant' : isUnknown ? 'unknown' : isStrong && this.mayBeConstant(value, step) ? 'constant' : 'unknown' };
  }

  /** Where only the address that a redirect leads to has it. */
  private hopWith(value: string, recorded: WalkedStep, leaf: Leaf, prefix: string): Found | null {
    const { step, exchanges } = recorded;
    const tried = this.latest.find((one) => one.step === step);
    if (!this.latestTrusted.has(step) || tried === undefined) return null;
    for (const [hop, exchange] of exchanges.slice(0, -1).entries()) {
      const other = tried.exchanges[hop];
      if (other === undefined) return null;
      for (const { finder, isRelated } of placesOf(value, { ...exchange, text: null }, leaf, prefix)) {
        const now = takeCapture(finder, other);
        if (now !== null && now !== value && (looksGenerated(value) || isRelated)) return { is: 'unfold', step, hop };
      }
    }
    return null;
  }

  private isInRecording(value: string, step: string): boolean {
    return looksGenerated(value) && this.before(step).some(({ exchanges }) => exchanges.some(({ text }) => holds(text, value)));
  }

  /** The very value came again where Holdfast walked: it need not be another. */
  private mayBeConstant(value: string, step: string): boolean {
    return this.before(step, this.latest).some(
      (walked) => this.latestTrusted.has(walked.step) && walked.exchanges.some(({ text }) => holds(text, value)),
    );
  }

  /** The response to what was handed in tells of what was made by it. */
  private isWritten(step: string): boolean {
    const method = this.evidence.recorded.find((one) => one.step === step)?.exchanges[0]?.method ?? 'GET';
    return method !== 'GET' && method !== 'HEAD';
  }

  private before(step: string, walk: Walk = this.evidence.recorded): WalkedStep[] {
    const order = this.plan.journey.map(({ name }) => name);
    const end = order.indexOf(step);
    return walk.filter((one) => {
      const at = order.indexOf(one.step);
      return at >= 0 && at < end;
    });
  }

  private take(finder: Finder, walk: Walk, step: string): string | null {
    const walked = walk.find((one) => one.step === step);
    const last = walked === undefined ? null : lastOf(walked);
    return last === null ? null : takeCapture(finder, last);
  }

  private differs(finder: Finder, step: string, value: string): boolean {
    return this.trusted.some(({ walk, steps }) => {
      if (!steps.has(step)) return false;
      const other = this.take(finder, walk, step);
      return other !== null && other !== value;
    });
  }

  /** null where no walk came so far. */
  private isOtherCookie(name: string, step: string): boolean | null {
    const value = cookiesBefore(this.evidence.recorded, step).get(name);
    const others = this.evidence.walks.flatMap((walk) => cookiesBefore(walk, step).get(name) ?? []);
    if (others.length === 0) return null;
    return others.some((other) => other !== value);
  }

  /** Of a value that holds others between signs: `Bearer TOKEN`, `return=/a?state=TOKEN`. */
  private withParts(leaf: Leaf, step: string, prefix: string): { readonly text?: string; readonly isUnknown: boolean } {
    let isUnknown = false;
    for (const signs of [/\s+/, /[\s,;|&=?/:"'{}()[\]<>\\]+/]) {
      const parts = [...new Set(leaf.value.split(signs))].filter((part) => part !== leaf.value && part.length >= 8 && looksGenerated(part));
      let text = literal(leaf.raw);
      let isFound = false;
      for (const part of parts.slice(0, MOST_PARTS)) {
        const decision = this.decide(part, { ...leaf, value: part }, step, prefix);
        if (decision.is === 'unknown') isUnknown = true;
        if (decision.is !== 'changing') continue;
        const placeholder = this.placeholderOf(decision.found, leaf, step);
        const written = [part, encodeURIComponent(part.toWellFormed())].find((form) => text.includes(form));
        if (placeholder === null || written === undefined) continue;
        text = text.replaceAll(written, placeholder);
        isFound = true;
      }
      if (isFound) return { text, isUnknown: false };
    }
    return { isUnknown };
  }

  private placeholderOf(found: Found, leaf: Leaf, step: string): string | null {
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
    const as = known?.as ?? this.freeName(leaf.name);
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
      const from = this.evidence.recorded.find(({ exchanges }) =>
        exchanges.some(({ answerHeaders }) => JSON.stringify(answerHeaders).includes(called)),
      );
      this.captured.push({ name, from: from?.step ?? '', kind: 'cookie', called, usedIn: step, usedAs: leaf.name });
      return;
    }
    const owner = this.ownerOf(name, step);
    const finder = owner === null ? undefined : this.captures.get(owner)?.get(name)?.finder;
    if (owner === null || finder === undefined) return;
    const value = this.take(finder, this.evidence.recorded, owner);
    const walked = this.evidence.recorded.find((one) => one.step === owner);
    const last = walked === undefined ? null : lastOf(walked);
    const [place] = value === null || last === null ? [] : placesOf(value, last, leaf, '');
    this.captured.push({ name, from: owner, kind: place?.kind ?? 'text', called: place?.called ?? name, usedIn: step, usedAs: leaf.name });
  }
}

/** A finder with all that it says by default. */
function writtenOf(finder: Finder): string {
  return JSON.stringify(captureSchema.parse({ ...finder, as: 'value' }));
}

function holds(text: string | null, value: string): boolean {
  return text !== null && text.includes(value);
}

function pathBefore({ url }: Exchange, key: string): string {
  const index = Number(key.slice('path.'.length));
  return URL.canParse(url) ? `${new URL(url).pathname.split('/').slice(0, index).join('/')}/` : '';
}

/** Whether two values are of one make: no number in place of a word. */
function isAkin(one: string, other: string): boolean {
  if (/^\d+$/.test(one)) return /^\d+$/.test(other);
  return other.length * 8 >= one.length && other.length <= one.length * 8 + 16;
}

/** A token, or a number of something: nothing that a person types or chooses. */
export function looksGenerated(value: string): boolean {
  if (/\s/.test(value) || /^\d{4}-\d\d-\d\d/.test(value)) return false;
  return (
    /^\d{5,}$/.test(value) || (value.length >= 8 && /\d/.test(value)) || (value.length >= 16 && /[a-z]/.test(value) && /[A-Z]/.test(value))
  );
}

function isWorthLooking(value: string, { place }: Leaf): boolean {
  if (place === 'body' || /^(true|false|on|off|yes|no|null|undefined)$/i.test(value)) return false;
  return value.length >= 3 || /\d/.test(value);
}
