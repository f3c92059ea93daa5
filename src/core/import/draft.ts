import { addGraphqlCheck } from '#core/work/journey/graphql.ts';
import { parseValue } from '#core/review/check.ts';
import { MAX_NAMED_TARGETS, METHODS, MAX_STEPS, type PlanInput } from '#core/plan/schema/plan.ts';
import { listPlaceholderNames, secretReferences } from '#core/plan/secrets.ts';
import { type Choice, type ChoiceKind, type ImportedPlan, type ImportResult, type Note, refuse } from './imported.ts';
import { freeName } from '#core/base/text.ts';
import { valueName, secretName, variableName } from './placeholders.ts';
import { replaceMarksByNames } from './shells/shellText.ts';
import { askReference, envReference } from '#core/plan/secretReference.ts';
import { ISSUER_TOKEN_PATTERN } from '#core/plan/secretShapes.ts';

export type WrittenStep = PlanInput['journey'][number];
export type WrittenLoad = PlanInput['load'];
type WrittenVariable = NonNullable<PlanInput['variables']>[string];
type WrittenFlow = NonNullable<PlanInput['flow']>;
type WrittenFeed = NonNullable<PlanInput['feeds']>[string];
export type Method = (typeof METHODS)[number];

const MAX_STEP_NAME_LENGTH = 60;
const MAX_PLAN_NAME_LENGTH = 120;
const MAX_NOTES = 1_000;
/** Maximum number of captures of a step in a plan. */
const MAX_CAPTURES = 50;

interface Rest {
  readonly name: string;
  readonly story?: string;
  readonly targets: PlanInput['targets'];
  readonly load: WrittenLoad;
  readonly settings?: Partial<
    Pick<PlanInput, 'flow' | 'tls' | 'timeoutSeconds' | 'connections' | 'cookies' | 'criteria' | 'safety' | 'omits'>
  >;
  readonly choices?: readonly Choice[];
  readonly chooses?: ChoiceKind;
}

/** Returns the members that have a value, because a plan does not write empty texts, lists and blocks. */
export function withoutNulls<Parts extends object>(parts: Parts): { [Name in keyof Parts]?: Exclude<Parts[Name], null | undefined> } {
  const hasValue = (value: unknown): boolean =>
    typeof value === 'object' ? value !== null && Object.keys(value).length > 0 : value !== undefined && value !== '';
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => hasValue(value))) as ReturnType<typeof withoutNulls<Parts>>;
}

/** A plan being built from another tool’s document: its steps, values, secrets and notes. */
export class Draft {
  readonly kind: ImportedPlan['kind'];
  readonly notes: Note[] = [];
  readonly steps: WrittenStep[] = [];
  private readonly secretsByName = new Map<string, string>();
  private readonly variables = new Map<string, WrittenVariable>();
  private readonly feeds = new Map<string, WrittenFeed>();
  private readonly stepNames = new Set<string>();
  private readonly captured = new Set<string>();
  /** Placeholders of access tokens by the requests that fetch them. */
  readonly tokens = new Map<string, string>();
  /** Servers other than the target of the load: their addresses by name in the plan. */
  private readonly namedTargets = new Map<string, string>();
  /** For text captures, the name of the JSON capture of the same value. */
  private readonly typedNames = new Map<string, string>();
  private omittedNotes = 0;

  constructor(kind: ImportedPlan['kind']) {
    this.kind = kind;
  }

  noteLeftOut(location: string, what: string, instead = 'It was left out.'): void {
    this.note({ kind: 'leftOut', location, what, instead });
  }

  noteChanged(location: string, what: string, instead: string): void {
    this.note({ kind: 'changed', location, what, instead });
  }

  noteAssumed(location: string, what: string, instead: string): void {
    this.note({ kind: 'assumed', location, what, instead });
  }

  /**
   * Notes a secret value that the plan refers to instead of containing it. If the app has the value in memory, the app shows another hint:
   * see ImportPreview.
   */
  noteReference(location: string, what: string, names: readonly string[]): void {
    this.note({ kind: 'secret', location, what, instead: `Its value is not in the plan. Set ${names.join(' and ')} when the plan runs.` });
  }

  /** Adds a note unless an equal one exists. In its texts, names replace the marks of shell variables, and possible secrets are cut out. */
  private note({ kind, ...texts }: Note): void {
    const note: Note = {
      kind,
      location: formatNoteText(texts.location),
      what: formatNoteText(texts.what),
      instead: formatNoteText(texts.instead),
    };
    const isKnown = this.notes.some((one) => one.location === note.location && one.what === note.what && one.instead === note.instead);
    if (isKnown) return;
    if (this.notes.length < MAX_NOTES) this.notes.push(note);
    else this.omittedNotes += 1;
  }

  /** Keeps a value out of the plan and returns the reference to it that the plan contains. */
  secret(label: string, value: string, location: string): { secret: string } {
    return { secret: envReference(this.keepSecret(label, value, location)) };
  }

  /** Keeps a value out of the plan and returns its placeholder, for places where only text is allowed. */
  secretVariable(label: string, value: string, location: string): string {
    const name = this.keepSecret(label, value, location);
    return this.placeholder(variableName(name), { kind: 'secret', secret: envReference(name) });
  }

  private keepSecret(label: string, value: string, location: string): string {
    const name = secretName(label, value, this.secretsByName);
    this.secretsByName.set(name, value);
    this.noteReference(location, `“${label.slice(0, 80)}” may be a secret.`, [name]);
    return name;
  }

  /**
   * Returns a reference to a value that the document does not contain; Holdfast asks for it. Foreign names never become environment
   * variables: `{{AWS_SECRET_ACCESS_KEY}}` would read a value of this computer.
   */
  askSecret(name: string): { readonly kind: 'secret'; readonly secret: string } {
    return { kind: 'secret', secret: askReference(name) };
  }

  /** Adds a variable and returns its unique name. Reuses the wanted name if it already has the same value. */
  variable(wanted: string, variable: WrittenVariable): string {
    const written = JSON.stringify(variable);
    const name = this.freeName(wanted, (taken) => JSON.stringify(this.variables.get(taken)) === written);
    this.variables.set(name, variable);
    return name;
  }

  /** Adds a variable like {@link variable} and returns its placeholder. */
  placeholder(wanted: string, variable: WrittenVariable): string {
    return `{{${this.variable(wanted, variable)}}}`;
  }

  /** Adds a variable under a name of its own, even if another variable generates equal values. */
  ownVariable(wanted: string, variable: WrittenVariable): string {
    const name = this.freeName(wanted);
    this.variables.set(name, variable);
    return name;
  }

  feed(wanted: string, feed: WrittenFeed): string {
    const name = this.freeName(wanted);
    this.feeds.set(name, feed);
    return name;
  }

  /** Returns the target field of a step for a server other than `main`; null if the plan has no room for another target. */
  targetAt(origin: string, main: string): { readonly target?: string } | null {
    if (origin === main) return {};
    const known = [...this.namedTargets].find(([, url]) => url === `${origin}/`)?.[0];
    if (known !== undefined) return { target: known };
    if (this.namedTargets.size >= MAX_NAMED_TARGETS) return null;
    const base = valueName(new URL(origin).hostname.split('.', 1)[0] ?? '', 'server').replace(/^_+/, '') || 'server';
    const target = freeName(base, (name) => this.namedTargets.has(name));
    this.namedTargets.set(target, `${origin}/`);
    return { target };
  }

  /**
   * Returns the name of a capture as JSON of the value captured under `name`, for a body that inserts it without quotes. Returns null if no
   * step captures a single JSON value under that name.
   */
  captureOfTyped(name: string): string | null {
    const known = this.typedNames.get(name);
    if (known !== undefined) return known;
    for (const [index, step] of this.steps.entries()) {
      const capture = step.captures?.find(({ as }) => as === name);
      if (capture?.from !== 'json' || (capture.which ?? 'first') !== 'first' || (step.captures?.length ?? 0) >= MAX_CAPTURES) continue;
      const captureName = this.captureName(`${name}_json`);
      this.steps[index] = {
        ...step,
        captures: [...(step.captures ?? []), { from: 'json', as: captureName, path: capture.path, typed: true }],
      };
      this.typedNames.set(name, captureName);
      return captureName;
    }
    return null;
  }

  captureName(wanted: string): string {
    const name = this.freeName(wanted);
    this.captured.add(name);
    return name;
  }

  /** Returns a name that no other value has, except for those that `isSame` accepts. */
  private freeName(wanted: string, isSame = (_name: string): boolean => false): string {
    return freeName(
      valueName(wanted),
      (name) => name === 'cookie' || this.feeds.has(name) || this.captured.has(name) || (this.variables.has(name) && !isSame(name)),
    );
  }

  /**
   * Returns whether the journey has no room for this request, and notes it. Called before a request is read, to keep its values out of the
   * plan.
   */
  isFullFor(name: string, location: string): boolean {
    if (this.steps.length < MAX_STEPS) return false;
    this.noteLeftOut(
      location,
      `With “${name.slice(0, MAX_STEP_NAME_LENGTH)}” the journey would have more than ${MAX_STEPS} steps.`,
      `A journey has at most ${MAX_STEPS} steps.`,
    );
    return true;
  }

  /** Adds a step and returns its unique name; null if the journey has no room for it, which is noted. */
  addStep(step: WrittenStep, location: string): string | null {
    if (this.isFullFor(step.name, location)) return null;
    const name = uniqueName(step.name, this.stepNames);
    this.stepNames.add(name);
    // A path that begins with `//` would be resolved against the target as another host. `/.` in front of it is not sent.
    const path = step.path?.startsWith('//') === true ? { path: `/.${step.path}` } : {};
    this.steps.push(addGraphqlCheck({ ...step, ...path, name }));
    return name;
  }

  /** Replaces the step of this name; false if there is none. */
  changeStep(name: unknown, change: (step: WrittenStep) => WrittenStep): boolean {
    const index = this.steps.findIndex((step) => step.name === name);
    const step = this.steps[index];
    if (step !== undefined) this.steps[index] = change(step);
    return step !== undefined;
  }

  /** Returns the finished plan, or a refusal if the schema or the plan checks reject it. */
  finish({ name, story = '', targets, load, settings = {}, ...choosing }: Rest): ImportResult {
    const { notes, steps } = this;
    if (steps.length === 0) {
      const hint = notes.length === 0 ? 'It is probably empty or incomplete.' : 'What was found is listed below.';
      return refuse('NO_REQUESTS', '', 'No request was found that a plan can send.', hint, notes);
    }
    if (this.omittedNotes > 0) {
      const what = `There are ${this.omittedNotes} more notes.`;
      notes.push({ kind: 'leftOut', location: '', what, instead: 'They are similar to those above.' });
    }
    const variables = [...this.variables].filter(([variable]) => this.isUsed(variable));
    this.dropUnusedTexts(settings.flow);
    const written = {
      holdfast: 1,
      name: name.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_PLAN_NAME_LENGTH).trim() || 'Imported',
      ...withoutNulls({ story: story.slice(0, 2_000) }),
      targets,
      ...withoutNulls({
        namedTargets: Object.fromEntries([...this.namedTargets].filter(([server]) => steps.some(({ target }) => target === server))),
      }),
      journey: steps,
      ...withoutNulls({ variables: Object.fromEntries(variables), feeds: Object.fromEntries(this.feeds) }),
      load,
      ...withoutNulls(settings),
    };
    const { plan, issues } = parseValue(written);
    if (plan === null) return { kind: 'refused', issues, notes };
    const used = new Set(secretReferences(plan));
    const secrets = new Map([...this.secretsByName].filter(([secret]) => used.has(envReference(secret))));
    return { kind: 'imported', imported: { kind: this.kind, written, plan, secrets, notes, ...withoutNulls(choosing) } };
  }

  /** Removes text captures whose value is sent only as JSON. */
  private dropUnusedTexts(flow: WrittenFlow | undefined): void {
    const loops = JSON.stringify(flow ?? []);
    for (const name of this.typedNames.keys()) {
      if (this.isUsed(name) || loops.includes(JSON.stringify(name))) continue;
      for (const [index, step] of this.steps.entries()) {
        const captures = step.captures?.filter(({ as }) => as !== name);
        if (captures !== undefined) this.steps[index] = { ...step, captures };
      }
    }
  }

  private isUsed(name: string): boolean {
    return this.steps.some((step) => listPlaceholderNames(JSON.stringify(step)).includes(name));
  }
}

/** Returns a text of a note for people: with the names of variables, without possible secrets. */
function formatNoteText(text: string): string {
  return replaceMarksByNames(text)
    .replaceAll(/([?&][\w.[\]-]{1,100}=)[^&\s“”’"'<>{}]{4,}/g, '$1…')
    .replaceAll(ISSUER_TOKEN_PATTERN, '…')
    .replaceAll(/\b(Bearer|Basic|Token) [\w.~+/=-]{8,}/g, '$1 …');
}

/** A part of a plan’s flow, chosen in proportion to its weight. */
export interface WeightedFlow {
  readonly weight: number;
  readonly flow: WrittenFlow;
}

/** Returns the flow of users who each take one of these parts; no flow if all users send the steps in order. */
export function buildFlow(flows: readonly WeightedFlow[]): { readonly flow?: WrittenFlow } {
  const [first, ...others] = flows;
  if (first === undefined) return {};
  if (others.length > 0) return { flow: [{ choose: [...flows] }] };
  return first.flow.every((part) => typeof part === 'string') ? {} : { flow: first.flow };
}

/** Returns the sentence that says where Holdfast gets a value that the document does not contain. */
export function describeAskedValue(name: string): string {
  return `Holdfast asks for ${name} when the plan runs. To read it from your environment, write ${envReference(name)} into the plan.`;
}

function uniqueName(wanted: string, taken: ReadonlySet<string>): string {
  const trimmed = wanted.slice(0, 500).replaceAll(/\s+/g, ' ').trim();
  // Spread into code points to keep surrogate pairs whole.
  const points = [...trimmed].slice(0, MAX_STEP_NAME_LENGTH).join('');
  const base = points.slice(0, MAX_STEP_NAME_LENGTH).trim() || 'request';
  return freeName(
    base,
    (name) => taken.has(name),
    (number) => `${base.slice(0, MAX_STEP_NAME_LENGTH - ` (${number})`.length)} (${number})`,
  );
}

/** Returns null for a method that plans do not support. */
export function methodOf(text: string): Method | null {
  return METHODS.find((method) => method === text.trim().toUpperCase()) ?? null;
}

type ThinkTime = Extract<WrittenLoad, { model: 'users' }>['thinkTime'];

/** Returns the proposed load for documents without one: few users for a minute. */
export function proposeUsers(thinkTime?: ThinkTime): WrittenLoad {
  return { model: 'users', ...withoutNulls({ thinkTime }), stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }] };
}
