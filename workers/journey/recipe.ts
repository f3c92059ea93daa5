import type { BodyCheck } from '#core/plan/schema/step.ts';
import { basicAuthorization, escapeFor, formEncoded, type EscapeContext } from '#core/work/journey/escape.ts';
import { fillTemplate, hasPlaceholders, parseTemplate, type Placeholder, type Template } from '#core/plan/secrets.ts';
import { encodeForTarget, parseRedirectTarget, type RedirectTarget } from '#core/work/journey/redirects.ts';
import { jsonText, namesOfStep, textsOfCheck } from '#core/work/journey/walked.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { StreamRules } from '../streams/eventReader.ts';
import { PatternSearch } from '../bodyCheck/patternSearch.ts';
import { StepChecks } from '../bodyCheck/stepChecks.ts';
import { buildRequestTo, type BuiltRequest, requestUrl } from '../requestBytes.ts';
import { type Capturer, createCapturer, readsBody } from './captures.ts';
import type { BodyPiece, FilePiece } from '../fileBody.ts';
import { type FormSupply, Multipart } from './multipart.ts';

type Layer = Readonly<Record<string, string>>;

/**
 * Returns header layers that include a user's cookies. Cookies of the plan are sent, unless the server has set a cookie with the same name.
 */
export function addCookieLayer(layers: readonly Layer[], cookies: string | null): readonly Layer[] {
  if (cookies === null) return layers;
  const given = layers
    .flatMap((layer) => Object.entries(layer).flatMap(([name, value]) => (name.toLowerCase() === 'cookie' ? [value] : [])))
    .at(-1);
  if (given === undefined) return [...layers, { Cookie: cookies }];
  const own = new Set(cookies.split('; ').map(nameOf));
  const kept = given.split(/;\s*/).filter((pair) => pair !== '' && !own.has(nameOf(pair)));
  return [...layers, { Cookie: [...kept, cookies].join('; ') }];
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}

/** A step of the plan with the settings of the run. */
export interface RecipeParts {
  readonly step: Step;
  readonly targetUrl: string;
  /** Headers of the run and the target. Headers of the step override them. */
  readonly headers: readonly Layer[];
  /** Headers for redirects to other targets, by origin; left out if there are none. */
  readonly headersByOrigin?: ReadonlyMap<string, readonly Layer[]>;
  readonly resolved: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null };
  /** Contents of the files to send, in Base64 by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Files that are sent from disk, by path; left out if there are none. */
  readonly largeFiles?: Readonly<Record<string, FilePiece>> | undefined;
  /** Headers that override those of the step. */
  readonly lastHeaders: Readonly<Record<string, string>>;
}

/** A form field, or the whole body, which has no name. */
interface BodyPart {
  readonly name: Template | null;
  readonly value: Template;
}

/**
 * Returns the value of a name.
 * @throws if there is none.
 */
export type ValueOf = (name: string) => string;

/** Matches headers that are meant only for the step's own origin. Redirects to another origin drop them (Fetch, section 4.4). */
const OWN_ORIGIN_HEADER_PATTERN = /^(authorization|cookie|proxy-authorization)$/i;

/** Headers that browsers send for an event stream. */
const STREAM_HEADERS = { Accept: 'text/event-stream', 'Cache-Control': 'no-cache' };

/** Builds the requests of a step from the values of a journey. */
export class Recipe {
  readonly step: Step;
  readonly names: readonly string[];
  readonly captures: readonly { readonly as: string; readonly take: Capturer }[];
  readonly needsBody: boolean;
  private readonly parts: RecipeParts;
  private readonly origin: string;
  private readonly auth: readonly Template[] | null;
  private readonly multipart: Multipart | null;
  private readonly path: Template;
  private readonly messages: readonly Template[];
  private readonly targets: readonly Template[];
  private readonly query: readonly [string, Template][];
  private readonly headers: readonly [string, Template][];
  private readonly body: readonly BodyPart[] | null;
  private readonly bodyPlace: EscapeContext;
  private readonly ownType: Record<string, string>;
  /**
   * Finds the reason of a failure in a response; null if the step does not define where the reason is.
   * @throws {UnreadableBody} if the search takes too long.
   */
  readonly reasonIn: ((text: string) => string | null) | null;
  /** Checks without placeholders; null if there are none. */
  readonly checks: StepChecks | null;
  /** Passes for a response that states that no place is left; null if the step offers no places. */
  readonly full: StepChecks | null;
  private readonly valueChecks: readonly BodyCheck[];
  private readonly until: readonly BodyCheck[];

  constructor(parts: RecipeParts) {
    const { step, resolved } = parts;
    this.parts = parts;
    this.origin = new URL(parts.targetUrl).origin;
    this.auth = step.auth === undefined ? null : [parseTemplate(step.auth.user), parseTemplate(step.auth.password)];
    this.step = step;
    this.names = namesOfStep(step);
    this.path = parseTemplate(step.path);
    this.messages = (step.stream?.send?.messages ?? []).map((text) => parseTemplate(text));
    this.targets = (step.redirects?.to ?? []).map((text) => parseTemplate(text));
    this.query = Object.entries(step.query ?? {}).map(([name, text]) => [name, parseTemplate(text)]);
    this.headers = Object.entries(resolved.headers).map(([name, value]) => [name, buildTemplate(getOwn(step.headers, name), value)]);
    this.multipart = step.multipart === undefined ? null : new Multipart(step.multipart, parts.files, parts.largeFiles);
    this.ownType =
      this.multipart === null
        ? { ...typeOf(step), ...(step.stream?.kind === 'events' ? STREAM_HEADERS : {}) }
        : { 'Content-Type': `multipart/form-data; boundary=${this.multipart.boundary}` };
    this.bodyPlace = placeOfBody(step, resolved.headers);
    this.body = bodyOf(step, resolved.body);
    const hasPlaceholdersIn = (check: BodyCheck): boolean => textsOfCheck(check).some(hasPlaceholders);
    const plain = step.checks.filter((check) => !hasPlaceholdersIn(check));
    this.checks = plain.length === 0 ? null : new StepChecks(plain);
    this.full = step.places === undefined ? null : new StepChecks([{ kind: 'contains', text: step.places.full, not: false }]);
    this.valueChecks = step.checks.filter(hasPlaceholdersIn);
    this.until = step.poll?.until ?? [];
    this.captures = (step.captures ?? []).map((capture) => ({ as: capture.as, take: createCapturer(capture) }));
    this.reasonIn = step.explains === undefined ? null : reasonFinder(step.explains.pattern);
    this.needsBody =
      this.reasonIn !== null ||
      this.full !== null ||
      this.checks?.needsBody === true ||
      this.valueChecks.length > 0 ||
      this.until.length > 0 ||
      (step.captures ?? []).some(readsBody);
  }

  /**
   * Returns the URL of the request.
   * @throws {HoldfastError} `STEP_LEAVES_TARGET` if a value leads to another origin.
   */
  urlOf(valueOf: ValueOf): URL {
    const [first] = this.path;
    // A placeholder at the start of the path is a complete address, as in a link. Other placeholders are parts of a path.
    let path = fillTemplate(this.path, (part) => (part === first ? valueOf(part.name) : fillPlaceholder(part, 'address', valueOf)));
    for (const [name, value] of this.query) {
      const text = fillTemplate(value, (part) => valueOf(part.name));
      path += `${path.includes('?') ? '&' : '?'}${escapeFor('address', name)}=${escapeFor('address', text)}`;
    }
    return requestUrl(this.parts.targetUrl, path);
  }

  /** Builds the request. `cookies` is the Cookie header for this URL; `supply` provides values for a form with files. */
  build(url: URL, valueOf: ValueOf, cookies: string | null, supply?: FormSupply): BuiltRequest {
    const { lastHeaders, step } = this.parts;
    return buildRequestTo(url, {
      method: step.method,
      headers: addCookieLayer([...this.listHeaderLayers(url), this.ownType, this.buildHeaders(url, valueOf), lastHeaders], cookies),
      body: this.buildBody(valueOf, supply),
    });
  }

  /**
   * Builds the request that follows a redirect: with the method and body of the step if `keepsBody`, otherwise a GET, or HEAD after a HEAD.
   */
  buildRedirect(url: URL, keepsBody: boolean, valueOf: ValueOf, cookies: string | null, supply?: FormSupply): BuiltRequest {
    if (keepsBody) return this.build(url, valueOf, cookies, supply);
    const { lastHeaders, step } = this.parts;
    const headers = Object.fromEntries(Object.entries(this.buildHeaders(url, valueOf)).filter(([name]) => !/^content-/i.test(name)));
    return buildRequestTo(url, {
      method: step.method === 'HEAD' ? 'HEAD' : 'GET',
      headers: addCookieLayer([...this.listHeaderLayers(url), headers, lastHeaders], cookies),
      body: null,
    });
  }

  private listHeaderLayers({ origin }: URL): readonly Layer[] {
    const { headers, headersByOrigin } = this.parts;
    return origin === this.origin ? headers : (headersByOrigin?.get(origin) ?? headers);
  }

  private buildHeaders({ origin }: URL, valueOf: ValueOf): Record<string, string> {
    const headers: Record<string, string> = {};
    if (this.auth !== null && origin === this.origin) {
      const [user = '', password = ''] = this.auth.map((template) => fillTemplate(template, ({ name }) => valueOf(name)));
      headers['Authorization'] = basicAuthorization(user, password);
    }
    for (const [name, template] of this.headers)
      if (origin === this.origin || !OWN_ORIGIN_HEADER_PATTERN.test(name)) setOwn(headers, name, fillHeader(template, valueOf));
    return headers;
  }

  /** Returns where a redirect must lead; null if the step does not define it. */
  redirectTarget(hop: number, valueOf: ValueOf): RedirectTarget | null {
    const template = this.targets[hop];
    return template === undefined ? null : parseRedirectTarget(fillTemplate(template, ({ name }) => encodeForTarget(valueOf(name))));
  }

  /** Returns the settings and messages of the step's WebSocket, filled with the given values; null if the step opens none. */
  fillSocket(valueOf: ValueOf): StreamRules['socket'] {
    const { stream } = this.step;
    if (stream?.kind !== 'websocket') return null;
    const { protocols = [], send } = stream;
    const everyUs = send?.everySeconds === undefined ? null : send.everySeconds * 1_000_000;
    return { protocols, everyUs, messages: () => this.messages.map((template) => fillTemplate(template, ({ name }) => valueOf(name))) };
  }

  /** Returns the checks with placeholders, filled with values; null if there are none. */
  fillChecks(valueOf: ValueOf): StepChecks | null {
    return this.valueChecks.length === 0 ? null : new StepChecks(this.valueChecks, (check) => checkWith(check, valueOf));
  }

  /** Returns the condition that ends a poll, filled with values; null if the step is not a poll. */
  fillUntil(valueOf: ValueOf): StepChecks | null {
    return this.until.length === 0 ? null : new StepChecks(this.until, (check) => checkWith(check, valueOf));
  }

  private buildBody(valueOf: ValueOf, supply?: FormSupply): string | Buffer | readonly BodyPiece[] | null {
    if (this.multipart !== null) return this.multipart.build(valueOf, supply);
    const { bodyFile } = this.step;
    if (bodyFile !== undefined) {
      const large = getOwn(this.parts.largeFiles, bodyFile);
      return large === undefined ? Buffer.from(getOwn(this.parts.files, bodyFile) ?? '', 'base64') : [large];
    }
    return this.body?.map((part) => this.bodyPart(part, valueOf)).join('&') ?? null;
  }

  private bodyPart({ name, value }: BodyPart, valueOf: ValueOf): string {
    if (name === null) return fillTemplate(value, (part) => fillPlaceholder(part, this.bodyPlace, valueOf));
    const [field, text] = [name, value].map((template) => fillTemplate(template, (part) => valueOf(part.name)));
    return `${formEncoded(field ?? '')}=${formEncoded(text ?? '')}`;
  }
}

/** Returns a function that finds the groups of the last match, or the whole match, as readable text. */
function reasonFinder(source: string): (text: string) => string | null {
  const search = new PatternSearch(source, '');
  return (text) => {
    const match = search.runWithinTime(text, () => [...text.matchAll(new RegExp(source, 'g'))].at(-1));
    if (match === undefined) return null;
    const groups = match.slice(1).filter((group) => group !== undefined && group !== '');
    return (groups.length === 0 ? match[0] : groups.join(' ')).replaceAll(/\\u([\da-f]{4})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  };
}

function fillPlaceholder({ name, isRaw }: Placeholder, place: EscapeContext, valueOf: ValueOf): string {
  const value = valueOf(name);
  // Even a raw value must not start a new header.
  return isRaw && place !== 'header' ? value : escapeFor(place, value);
}

/** Returns a template. A secret is sent as it is, without placeholders. */
function buildTemplate(written: unknown, value: string): Template {
  return typeof written === 'string' ? parseTemplate(value) : [value];
}

function bodyOf(step: Step, resolved: string | null): BodyPart[] | null {
  if (step.form !== undefined)
    return Object.entries(step.form).map(([name, text]) => ({ name: parseTemplate(name), value: parseTemplate(text) }));
  if (step.json !== undefined) return [{ name: null, value: parseTemplate(jsonText(step.json)) }];
  return resolved === null ? null : [{ name: null, value: buildTemplate(step.body, resolved) }];
}

function typeOf(step: Step): Record<string, string> {
  if (step.form !== undefined) return { 'Content-Type': 'application/x-www-form-urlencoded' };
  if (step.bodyFile !== undefined) return { 'Content-Type': 'application/octet-stream' };
  return step.json === undefined ? {} : { 'Content-Type': 'application/json' };
}

/** Returns how values are escaped in a body, by its content type. */
function placeOfBody(step: Step, headers: Readonly<Record<string, string>>): EscapeContext {
  if (step.json !== undefined) return 'json';
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (/\bjson\b/i.test(type)) return 'json';
  return /x-www-form-urlencoded/i.test(type) ? 'form' : 'text';
}

function checkWith(check: BodyCheck, valueOf: ValueOf): BodyCheck {
  const fill = (text: string): string => fillTemplate(parseTemplate(text), ({ name }) => valueOf(name));
  if (check.kind === 'contains') return { ...check, text: fill(check.text) };
  return check.kind === 'json' && typeof check.equals === 'string' ? { ...check, equals: fill(check.equals) } : check;
}

/** Returns the header layers of a run for one target, without those of steps. */
export function runHeaders(userAgent: string | null, target: Readonly<Record<string, string>>): RecipeParts['headers'] {
  return [userAgent === null ? {} : { 'User-Agent': userAgent }, target];
}

/** Returns a header that closes the connection after each response if the plan wants one connection per request. */
export function closingHeaders(plan: Plan): Readonly<Record<string, string>> {
  return plan.connections.reuse === 'never' ? { Connection: 'close' } : {};
}

function fillHeader(template: Template, valueOf: ValueOf): string {
  return fillTemplate(template, (part) => fillPlaceholder(part, 'header', valueOf));
}
