import { getOwn } from '#core/base/ownMembers.ts';
import { runTurns, type Turns } from '#core/base/turns.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { isSecretField, isSecretHeader } from '#core/plan/secretShapes.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { Captures } from './captures.ts';
import type { FoundValue } from './schema.ts';
import { decide } from './decide.ts';
import { listInnerValues, replaceInner } from './innerValues.ts';
import { changingName, fieldNames, findRecordedName, replaceFieldName } from './fieldNames.ts';
import { type Leaf, looksGenerated, readMailDomain, splitValue, planLeaves, listLeaves, setLeaf } from './leaves.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { type Evidence, Sessions } from './sessions.ts';
import type { Exchange, Walk } from './walk.ts';
import { cookieOf, readValueName } from '#core/plan/valueNames.ts';

/** A value that seemed variable because of its shape, but is the same in every session. */
export interface ConstantValue {
  readonly step: string;
  readonly called: string;
}

export interface CorrelatedPlan {
  readonly plan: Plan;
  readonly captured: readonly FoundValue[];
  readonly constant: readonly ConstantValue[];
  /** Redirects that need a step of their own, because only they contain a value that a later step sends. */
  readonly unfold: readonly { readonly step: string; readonly hop: number }[];
  readonly isChanged: boolean;
}

/** Stores a secret value outside the plan and returns its reference. */
interface SecretStore {
  readonly secretFor: (called: string, value: string) => string;
}

const MAX_VALUE_LENGTH = 65_000;

/**
 * Compares a recording with further walks of the same journey. A sent value becomes a capture if an earlier response contains it and it
 * differs in at least one walk. A value that is the same everywhere becomes constant, even if it looks generated.
 */
export function captureByTwo(plan: Plan, evidence: Evidence & SecretStore): CorrelatedPlan {
  return runTurns(captureInTurns(plan, evidence));
}

/** Does the same as `captureByTwo`, but yields often to let other work run. */
export function* captureInTurns(plan: Plan, { secretFor, ...evidence }: Evidence & SecretStore): Turns<CorrelatedPlan> {
  const sessions = yield* Sessions.read(evidence, plan.journey);
  return yield* new Correlation(plan, sessions, secretFor).result();
}

class Correlation {
  private readonly plan: Plan;
  private readonly sessions: Sessions;
  private readonly secretFor: SecretStore['secretFor'];
  private readonly captures: Captures;
  private readonly constant: ConstantValue[] = [];
  /** References of constant secrets, by the names of their variables. */
  private readonly secrets = new Map<string, string>();

  constructor(plan: Plan, sessions: Sessions, secretFor: SecretStore['secretFor']) {
    this.plan = plan;
    this.sessions = sessions;
    this.secretFor = secretFor;
    this.captures = new Captures(plan, sessions);
  }

  private get recorded(): Walk {
    return this.sessions.evidence.recorded;
  }

  *result(): Turns<CorrelatedPlan> {
    const journey: Step[] = [];
    for (const step of this.plan.journey) journey.push(yield* this.replaceValues(step));
    const used = new Set(journey.flatMap(namesOfStep));
    const finished = journey.map((step): Step => {
      const captures = this.captures.capturesOfStep(step.name).filter(({ as }) => used.has(as));
      const { captures: _before, ...rest } = step;
      return captures.length === 0 ? rest : { ...rest, captures };
    });
    const secrets = [...this.secrets].map(([name, secret]) => [name, { kind: 'secret' as const, secret }] as const);
    const variables = Object.fromEntries([...Object.entries(this.plan.variables ?? {}), ...secrets].filter(([name]) => used.has(name)));
    const { variables: _all, ...rest } = this.plan;
    const plan: Plan = { ...rest, journey: finished, ...(Object.keys(variables).length === 0 ? {} : { variables }) };
    return {
      plan,
      captured: this.captures.found.filter(({ name }) => used.has(name) || cookieOf(name) !== null),
      constant: this.constant,
      unfold: [...this.captures.unfold].map(([step, hop]) => ({ step, hop })),
      isChanged: JSON.stringify(plan) !== JSON.stringify(this.plan),
    };
  }

  private *replaceValues(step: Step): Turns<Step> {
    const request = this.recorded.find((one) => one.step === step.name)?.exchanges[0];
    if (request === undefined) return step;
    const leaves = new Map(listLeaves(request).map((leaf) => [leaf.key, leaf]));
    let current = step;
    for (const { key, text } of planLeaves(step)) {
      const leaf = leaves.get(key) ?? findLeaf(key, leaves);
      if (leaf === undefined || leaf.value === '' || leaf.value.length > MAX_VALUE_LENGTH) continue;
      current = yield* this.replaceLeaf(current, { ...leaf, key }, text, leaf.location === 'path' ? previousPath(request, key) : '');
    }
    return this.replaceNames(current, [...leaves.values()]);
  }

  /** Replaces the changing numbers within field names. */
  private replaceNames(step: Step, leaves: readonly Leaf[]): Step {
    const recorded = leaves.flatMap(({ location, name }) => (location === 'form' || location === 'part' ? [name] : []));
    return fieldNames(step).reduce((now, written) => {
      const name = findRecordedName(written, recorded);
      if (name === null) return now;
      const found = changingName(this.sessions, step.name, name);
      const part = found === null ? null : this.captures.nameOf(found, step.name);
      return replaceFieldName(
        now,
        written,
        part === null || found === null
          ? escapePlaceholders(name)
          : `${escapePlaceholders(found.before)}${part}${escapePlaceholders(found.after)}`,
      );
    }, step);
  }

  private *replaceLeaf(step: Step, leaf: Leaf, text: string | null, prefix: string): Turns<Step> {
    const names = text === null ? [] : listPlaceholderNames(text);
    if (names.some((name) => this.isGiven(name))) {
      for (const name of names) this.captures.note(name, step.name, leaf);
      return yield* this.replaceInner(step, leaf, text);
    }
    const isCaptured = names.some((name) => cookieOf(name) !== null || this.captures.before(name, step.name) !== null);
    if (isCaptured && names.every((name) => this.isUnchanged(name, step.name, leaf, prefix))) {
      for (const name of names) this.captures.note(name, step.name, leaf);
      return yield* this.replaceInner(step, leaf, text);
    }
    const whole = yield* decide(this.sessions, { value: leaf.value, leaf, step: step.name, prefix });
    if (whole.is === 'changing') {
      const placeholder = this.captures.readPlaceholder(whole.source, leaf, step.name);
      return placeholder === null ? step : setLeaf(step, leaf.key, leaf.isNumber ? placeholder.replace('}}', '|raw}}') : placeholder);
    }
    // A value that an earlier response contains as a whole is not split, even if its source is still unknown. Mail addresses are still
    // split, because several of them can share the changing domain of an account.
    const isWhole =
      leaf.location !== 'body' &&
      (whole.is !== 'unknown' ||
        (looksGenerated(leaf.value) && readMailDomain(leaf.value) === null && this.sessions.isInRecording(leaf.value, step.name)));
    const parts = isWhole ? null : yield* this.replaceParts(leaf, step.name, prefix);
    if (parts?.text !== undefined) return yield* this.replaceInner(setLeaf(step, leaf.key, parts.text), leaf, parts.text);
    const within = parts === null || isCaptured ? step : yield* this.replaceInner(step, leaf, text);
    if (within !== step) return within;
    if (!isCaptured || whole.is === 'unknown' || (parts?.isUnknown ?? false)) return isCaptured ? this.keepOrFree(step, leaf, names) : step;
    return this.makeConstant(step, leaf);
  }

  /** Replaces named values within a value: `"key":"1tay9"` in the text of an editor, `/posts/9` in a parameter. */
  private *replaceInner(step: Step, leaf: Leaf, text: string | null): Turns<Step> {
    let written = text ?? '';
    for (const inner of listInnerValues(leaf)) {
      if (replaceInner(written, inner, '') === null) continue;
      const decision = yield* decide(this.sessions, { value: inner.leaf.value, leaf: inner.leaf, step: step.name, prefix: inner.prefix });
      const placeholder = decision.is === 'changing' ? this.captures.readPlaceholder(decision.source, inner.leaf, step.name) : null;
      if (placeholder !== null) written = replaceInner(written, inner, placeholder) ?? written;
    }
    return written === (text ?? '') ? step : setLeaf(step, leaf.key, written);
  }

  /**
   * Keeps the capture of an undecided value. If the latest walk shows that the capture finds nothing, replaces the capture by the constant
   * value.
   */
  private keepOrFree(step: Step, leaf: Leaf, names: readonly string[]): Step {
    const isGone = names.some((name) => {
      const capture = this.captures.before(name, step.name);
      if (capture === null || !this.sessions.isTrusted(capture.from)) return false;
      return this.sessions.take(capture.finder, this.sessions.latest, capture.from) === null;
    });
    if (isGone) return this.makeConstant(step, leaf);
    for (const name of names) this.captures.note(name, step.name, leaf);
    return step;
  }

  private makeConstant(step: Step, leaf: Leaf): Step {
    this.constant.push({ step: step.name, called: leaf.name });
    if (leaf.location === 'header' ? isSecretHeader(leaf.name, leaf.value) : isSecretField(leaf.name, leaf.value)) {
      const secret = this.secretFor(leaf.name, leaf.value);
      const known = [...this.secrets].find(([, reference]) => reference === secret)?.[0];
      const name = known ?? this.captures.freeName(leaf.name);
      this.secrets.set(name, secret);
      return setLeaf(step, leaf.key, `{{${name}}}`);
    }
    return setLeaf(step, leaf.key, leaf.isNumber ? Number(leaf.value) : escapePlaceholders(leaf.raw));
  }

  /**
   * Returns whether the plan itself defines the value, such as a user name, a password or a drawn text. Secrets that `makeConstant`
   * adds do not count.
   */
  private isGiven(name: string): boolean {
    if (Object.hasOwn(this.plan.feeds ?? {}, readValueName(name).owner ?? name)) return true;
    const variable = getOwn(this.plan.variables, name);
    return variable !== undefined && (variable.kind !== 'secret' || /^(username|password|login)(_\d+)?$/.test(name));
  }

  /** Returns whether an existing capture still works: it matches in the latest walk, and its value differs in at least one walk. */
  private isUnchanged(name: string, step: string, leaf: Leaf, prefix: string): boolean {
    const cookie = cookieOf(name);
    if (cookie !== null) return this.sessions.isOtherCookie(cookie, step) ?? true;
    const capture = this.captures.before(name, step);
    if (capture === null) return false;
    const { from: owner, finder } = capture;
    const value = this.sessions.findInRecording(finder, owner);
    if (value === null || !this.sessions.isTrusted(owner)) return value !== null;
    const now = this.sessions.take(finder, this.sessions.latest, owner);
    if (now === null) return false;
    if (this.sessions.differsInWalks(finder, owner, value))
      return !looksGenerated(value) || !this.sessions.mayBeConstant(value, step) || this.sessions.writesData(owner);
    return (
      this.sessions.isCreated(owner) ||
      // Without a second account, values that belong to an account look constant. These are values with such a name, and values from the
      // login's response.
      (!this.sessions.evidence.hasOtherAccount &&
        (this.sessions.isLogin(owner) || ACCOUNT_NAME_PATTERN.test(`${JSON.stringify(finder)} ${leaf.name} ${prefix}`)))
    );
  }

  /** Replaces values between separators: `Bearer TOKEN`, `return=/a?state=TOKEN`. */
  private *replaceParts(leaf: Leaf, step: string, prefix: string): Turns<{ readonly text?: string; readonly isUnknown: boolean }> {
    let isUnknown = false;
    for (const parts of splitValue(leaf.value)) {
      let text = escapePlaceholders(leaf.raw);
      let isFound = false;
      for (const part of parts) {
        const decision = yield* decide(this.sessions, { value: part, leaf, step, prefix });
        if (decision.is === 'unknown') isUnknown = true;
        if (decision.is !== 'changing') continue;
        const placeholder = this.captures.readPlaceholder(decision.source, leaf, step);
        const written = [part, encodeURIComponent(part.toWellFormed())].find((form) => text.includes(form));
        if (placeholder === null || written === undefined) continue;
        text = text.replaceAll(written, placeholder);
        isFound = true;
      }
      if (isFound) return { text, isUnknown: false };
    }
    return { isUnknown };
  }
}

/** Finds the recorded field for a key whose field name contains placeholders. */
function findLeaf(key: string, leaves: ReadonlyMap<string, Leaf>): Leaf | undefined {
  const [, location = '', name = ''] = /^(form|part)\.([^]*)$/.exec(key) ?? [];
  if (!name.includes('{{')) return undefined;
  const names = [...leaves.values()].flatMap((leaf) => (leaf.location === location ? [leaf.name] : []));
  return leaves.get(`${location}.${findRecordedName(name, names) ?? ''}`);
}

const ACCOUNT_NAME_PATTERN = /user|account|member|profile|owner|person|customer|author/i;

function previousPath({ url }: Exchange, key: string): string {
  const index = Number(key.slice('path.'.length));
  return URL.canParse(url) ? `${new URL(url).pathname.split('/').slice(0, index).join('/')}/` : '';
}
