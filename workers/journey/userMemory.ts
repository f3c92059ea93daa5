import { HoldfastError } from '#core/base/errors.ts';
import { NO_VALUE_CODE } from '#core/work/bodyCheck/errorTexts.ts';
import { type Draw, drawFor } from '#core/work/journey/generate.ts';
import type { DuetSide } from '#core/work/journey/duet.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { CookieJar } from '#core/work/journey/cookieJar.ts';
import type { SeenResponse } from '../bodyCheck/keptResponse.ts';
import type { KnownValue } from './captures.ts';
import { Person } from './person.ts';
import type { Traveller } from './route.ts';
import type { Recipe } from './recipe.ts';
import type { Script } from './script.ts';
import type { Visit } from './plainWalk.ts';
import { cookieOf } from '#core/plan/valueNames.ts';

/** Thrown for a name that has no value. */
export class MissingValueError extends Error {}

/** Returns why a request cannot be sent; null for programming errors. */
export function explainUnsendable(thrown: unknown): string | null {
  if (thrown instanceof MissingValueError) return `${NO_VALUE_CODE} {{${thrown.message}}}`;
  return thrown instanceof HoldfastError ? thrown.code : null;
}

/** Maximum number of refused paths that are remembered. */
const MAX_REFUSED_PATHS = 100;

const NO_VISIT: Visit = { user: -1, journey: -1, stage: 0 };

/** The memory of a user, which all requests in the user's name share. */
export class UserMemory implements Traveller {
  readonly jar: CookieJar | null;
  readonly script: Script;
  visit = NO_VISIT;
  /** State of the person; null if the plan has no people. */
  person: Person | null = null;
  /** Row of the feeds with `order: once`; null if there is none. */
  row: number | null = null;
  private readonly memory = new Map<string, KnownValue>();
  // The collections of steps are null until they are needed, because most of ten thousand users need none of them.
  /** Steps with `once` that have succeeded, with the times of their last success in milliseconds since 1970. */
  private onceTaken: Map<number, number> | null = null;
  /** Whether a refusal of the current login was reported. */
  private isRefusalReported = false;
  private reached: Set<number> | null = null;
  private refusedPaths: Set<string> | null = null;
  /** Names of bells whose gates the user has reached in any journey. */
  private passedBells: Set<string> | null = null;
  private readonly now: () => number;

  /** `now` returns the milliseconds since 1970, which determine when cookies expire. */
  constructor(script: Script, now: () => number) {
    this.script = script;
    this.now = now;
    this.jar = script.keeps === 'ignore' ? null : new CookieJar();
  }

  get draw(): Draw {
    const { user, journey } = this.visit;
    return { seed: this.script.seed, user, journey, request: 0 };
  }

  get stage(): number {
    return this.visit.stage;
  }

  get side(): DuetSide | undefined {
    return this.visit.side;
  }

  /** Takes a row for the next journey if rows are used once. Returns false if none is left. */
  takeRow({ user, journey }: Visit): boolean {
    const { onceRows } = this.script;
    if (onceRows === null) return true;
    const keeps = onceRows.areKept && this.row !== null && user === this.visit.user && journey > 0;
    if (!keeps) this.row = onceRows.take();
    return this.row !== null;
  }

  /** Begins a journey. Returns whether earlier values were forgotten. */
  begin(visit: Visit): boolean {
    const forgets = visit.user !== this.visit.user || visit.journey === 0 || this.script.keeps !== 'user';
    const isNew = visit.user !== this.visit.user || visit.journey === 0;
    if (isNew) this.passedBells?.clear();
    if (isNew && this.script.people !== null) this.person = new Person(visit.user, this.row);
    else this.person?.beginAgain();
    this.visit = visit;
    if (!forgets) return false;
    this.jar?.clear();
    this.memory.clear();
    this.onceTaken?.clear();
    this.reached?.clear();
    this.refusedPaths?.clear();
    this.isRefusalReported = false;
    return true;
  }

  knownValue(name: string): KnownValue | undefined {
    return this.memory.get(name);
  }

  remember(name: string, value: KnownValue | null): void {
    if (value === null) this.memory.delete(name);
    else this.memory.set(name, value);
  }

  /** Returns whether the user has had a successful response of the step since the user started anew. */
  hasReached(step: number): boolean {
    return this.reached?.has(step) === true;
  }

  reach(step: number): void {
    (this.reached ??= new Set()).add(step);
  }

  /** Returns whether the server has refused this path (401, 403) since the user started anew. */
  wasRefused({ origin, pathname }: URL): boolean {
    return this.refusedPaths?.has(origin + pathname) === true;
  }

  refuse({ origin, pathname }: URL): void {
    this.refusedPaths ??= new Set();
    if (this.refusedPaths.size < MAX_REFUSED_PATHS) this.refusedPaths.add(origin + pathname);
  }

  hasPassed(bell: string): boolean {
    return this.passedBells?.has(bell) === true;
  }

  pass(bell: string): void {
    (this.passedBells ??= new Set()).add(bell);
  }

  hasTaken(step: number): boolean {
    return this.onceTaken?.has(step) === true;
  }

  take(step: number): void {
    (this.onceTaken ??= new Map()).set(step, this.now());
    this.isRefusalReported = false;
  }

  /** Returns the milliseconds since the last success of a step with `once`; null if it has not succeeded yet. */
  ageMs(step: number): number | null {
    const takenMs = this.onceTaken?.get(step);
    return takenMs === undefined ? null : this.now() - takenMs;
  }

  /** Returns the age of the login in milliseconds if a step that has succeeded with it is refused for the first time; otherwise null. */
  refusedAgeMs(step: number): number | null {
    if (this.isRefusalReported || this.onceTaken === null || this.onceTaken.size === 0 || !this.hasReached(step)) return null;
    this.isRefusalReported = true;
    return this.now() - Math.max(...this.onceTaken.values());
  }

  /**
   * Returns the value of a name for the request with this number in the journey, to `url`.
   * @throws {MissingValueError} if the name has no value.
   */
  value(name: string, request: number, url: URL | null): string {
    const { script, visit } = this;
    const known = this.memory.get(name);
    if (known !== undefined) return typeof known === 'string' ? known : known.join(',');
    const cookie = cookieOf(name);
    const value =
      cookie !== null
        ? this.cookie(cookie, url)
        : (script.generate(name, visit.user, visit.journey, request) ??
          getOwn(script.secrets, name) ??
          script.feedValue(name, visit, this.row));
    if (value === null) throw new MissingValueError(name);
    return value;
  }

  /**
   * Takes values from a response and adds them to `captured`. Returns the name of the first value that the response lacks; null if the
   * response has all values.
   */
  capture(
    captures: Recipe['captures'],
    seen: SeenResponse,
    { request, url, filled }: { readonly request: number; readonly url: URL | null; readonly filled: (name: string) => string },
    captured: (readonly [string, string])[],
  ): string | null {
    for (const { as, take } of captures) {
      const value = take(seen, {
        cookie: (name) => this.cookie(name, url),
        known: (name) => this.knownValue(name) ?? null,
        filled,
        draw: (index = 0) => drawFor(`capture ${as}`, { ...this.draw, request }, index),
        url,
      });
      if (value === null) return as;
      this.remember(as, value);
      captured.push([as, typeof value === 'string' ? value : value.join(', ')]);
    }
    return null;
  }

  cookie(name: string, url: URL | null): string | null {
    return url === null || this.jar === null ? null : this.jar.valueOf(name, url, this.now());
  }
}
