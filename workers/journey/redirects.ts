import { checkError } from '#core/work/bodyCheck/errorTexts.ts';
import { isSameOrigin } from '#core/base/origins.ts';
import { isRedirect, matchesTarget, loginPlace, redirectKind } from '#core/work/journey/redirects.ts';
import { asksForPassword } from '#core/work/pages/loginForm.ts';
import { UnreadableBody } from '../bodyCheck/decodeBody.ts';
import type { SeenResponse } from '../bodyCheck/keptResponse.ts';
import type { Response } from '../sideRecorder.ts';
import type { Script, ScriptStep } from './script.ts';
import { MissingValueError, type UserMemory } from './userMemory.ts';

/** The request to which a redirect leads. */
export interface Hop {
  readonly url: URL;
  readonly keepsBody: boolean;
}

/** Follows the redirects of one step, and distinguishes expected redirects from those to a login page or elsewhere. */
export class Redirects {
  /** The next request; null if the last response was not a redirect to follow. */
  hop: Hop | null = null;
  private readonly script: Pick<Script, 'readsLoginPages' | 'headersByOrigin'>;
  private readonly memory: UserMemory;
  private readonly valueOf: (name: string) => string;
  private hops = 0;
  /** The failure of a redirect whose login page is being fetched; otherwise null. */
  private refusal: string | null = null;
  /**
   * Location of a redirect that looks like a login; null if there is none. If there is one, the page at the end of the redirects is
   * checked.
   */
  private suspectPlace: string | null = null;
  /** Requests of the redirects so far, each with the version of the cookie jar with which it was sent. */
  private readonly trail: string[] = [];

  constructor(script: Pick<Script, 'readsLoginPages' | 'headersByOrigin'>, memory: UserMemory, valueOf: (name: string) => string) {
    this.script = script;
    this.memory = memory;
    this.valueOf = valueOf;
  }

  /** Whether the next request only fetches the login page of a redirect that has already failed. */
  get isRefused(): boolean {
    return this.refusal !== null;
  }

  /** Whether the next response is checked for a login form. */
  get needsBody(): boolean {
    return this.suspectPlace !== null;
  }

  leave(): void {
    this.hop = null;
    this.refusal = null;
    this.hops = 0;
    this.suspectPlace = null;
    this.trail.length = 0;
  }

  /**
   * Evaluates the response to the request to `from`, and sets {@link hop}. Returns the failure of a redirect, or of a missing redirect, as
   * the name of a failed check; null if there is none.
   */
  take(step: ScriptStep, response: Response, seen: SeenResponse, from: URL): string | null {
    const { hop: previous, refusal } = this;
    this.hop = null;
    this.refusal = null;
    if (response.status === 401 || response.status === 403) this.memory.refuse(from);
    if (refusal !== null) return refusal;
    // An empty address is none, as for browsers and curl.
    const location = isRedirect(response.status) ? (seen.header('location')?.split('\n')[0]?.trim() ?? '') : '';
    if (location === '') return this.missingRedirect(step, response) ?? this.findShownLogin(response, seen);
    return this.follow(step, response, { from, location, previous });
  }

  private follow(
    step: ScriptStep,
    { status }: Response,
    { from, location, previous }: { readonly from: URL; readonly location: string; readonly previous: Hop | null },
  ): string | null {
    const to = URL.canParse(location, from.href) ? new URL(location, from) : null;
    if (to === null || !this.staysAtTargets(step, from, to))
      return step.maxRedirects === 0 ? null : checkError('LEAVES_TARGET', to?.host ?? 'an address that cannot be read');
    const stray = this.strayRedirect(step, from, to);
    if (stray !== null && this.script.readsLoginPages && step.maxRedirects > 0 && loginPlace(from, to) !== null) {
      this.refusal = stray;
      this.hop = { url: to, keepsBody: false };
    }
    if (stray !== null) return stray;
    if (step.maxRedirects === 0) return null;
    const keepsBody = (previous?.keepsBody ?? true) && (status === 307 || status === 308);
    const state = `${String(keepsBody)} ${to.href} ${this.memory.jar?.version ?? 0}`;
    if (this.trail.includes(state)) return checkError('REDIRECT_LOOP', to.pathname);
    this.trail.push(state);
    this.hops += 1;
    if (this.hops > step.maxRedirects) return checkError('TOO_MANY_REDIRECTS', String(step.maxRedirects));
    to.hash = '';
    this.hop = { url: to, keepsBody };
    return null;
  }

  private staysAtTargets({ sideOrigin }: ScriptStep, from: URL, to: URL): boolean {
    return isSameOrigin(from, to) || (sideOrigin === null && this.script.headersByOrigin.has(to.origin));
  }

  /** Returns the failure of a redirect to a wrong address. What the plan expects has priority over what the address looks like. */
  private strayRedirect({ recipe, mayEndAtLogin }: ScriptStep, from: URL, to: URL): string | null {
    const { redirects } = recipe.step;
    // If redirects are not followed, the expected status of the step decides.
    if (redirects === undefined) return null;
    const login = loginPlace(from, to);
    if (redirects.to === undefined) {
      if (login === null || mayEndAtLogin) return null;
      if (this.memory.wasRefused(from) || this.memory.wasRefused(to)) return checkError('LEADS_TO_LOGIN', login);
      this.suspectPlace ??= login;
      return null;
    }
    try {
      const target = recipe.redirectTarget(this.hops, this.valueOf);
      if (target !== null && matchesTarget(target, to)) return null;
    } catch (thrown) {
      if (thrown instanceof MissingValueError) return checkError('NOTHING_CAPTURED', `“${thrown.message}”`);
      throw thrown;
    }
    return login === null ? checkError('LEADS_ELSEWHERE', redirectKind(to)) : checkError('LEADS_TO_LOGIN', login);
  }

  /** Returns the failure of a step whose redirect ended at a login page, which means that the user is not logged in. */
  private findShownLogin({ expected }: Response, seen: SeenResponse): string | null {
    const { suspectPlace } = this;
    if (suspectPlace === null || !expected) return null;
    try {
      return asksForPassword(seen.text()) ? checkError('LEADS_TO_LOGIN', suspectPlace) : null;
    } catch (thrown) {
      if (thrown instanceof UnreadableBody) return null;
      throw thrown;
    }
  }

  /** Returns the failure of a step whose response should have been a redirect: a form that is shown again with status 200 is a refusal. */
  private missingRedirect({ recipe }: ScriptStep, { expected }: Response): string | null {
    const target = recipe.step.redirects?.to?.[this.hops];
    return target === undefined || !expected ? null : checkError('NOT_REDIRECTED', target);
  }
}
