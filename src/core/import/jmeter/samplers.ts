import { hasPlaceholders } from '#core/plan/secrets.ts';
import { type FlowPart, MAX_FLOW_DEPTH, MAX_FLOW_REPEATS } from '#core/plan/schema/flow.ts';
import { readAddress, secretFreePath } from '../address.ts';
import { type Draft, methodOf, type WrittenStep } from '../draft.ts';
import { authFields, readHeaders, type Login, partType, type Payload, payloadFields, splitLogin } from '../requestParts.ts';
import { type Responses, readResponse } from './responses.ts';
import { type Element, isTrue, members, numberOf, textOf } from './element.ts';
import { type Rate, readTimer, type ThinkTime } from './timers.ts';
import { readArguments, type Values } from './values.ts';
import { CODE_NOTE, leaveOutOtherServer, REQUEST_LEFT_OUT_NOTE, HTTP_ONLY_NOTE, LEFT_OUT_NOTE } from '../notes.ts';

/** A login and the server for which it is valid; null for the main server. */
interface ScopedLogin extends Login {
  readonly origin: string | null;
}

interface Place {
  readonly target: { readonly target?: string };
  /** Origin of the server; null for the main server. */
  readonly origin: string | null;
  readonly path: string;
}

/** Returns whether a login may be sent to the server of a request. */
function isFor(login: ScopedLogin | null, origin: string | null, main: string | null): boolean {
  return login !== null && (login.origin ?? main) === (origin ?? main);
}

export interface Scope {
  readonly defaults: readonly Element[];
  /** Headers in the order of their elements. The element nearest to the sampler is last. */
  readonly headers: readonly (readonly [string, string])[];
  readonly login: ScopedLogin | null;
  readonly pause: ThinkTime | null;
  /** Extractors and assertions that apply to the samplers. */
  readonly responses: readonly Element[];
  readonly isOnce: boolean;
}

const EMPTY_SCOPE: Scope = { defaults: [], headers: [], login: null, pause: null, responses: [], isOnce: false };
const MAX_DEPTH = MAX_FLOW_DEPTH - 2;
const SAMPLER_PATTERN = /^(HTTPSamplerProxy|HTTPSampler|HTTPSampler2)$/;
const LISTENER_PATTERN = /^(ResultCollector|Summariser|BackendListener|kg\.apc\..*|com\.blazemeter\..*Listener|DebugPostProcessor)$/;
const CODE_ELEMENT_PATTERN = /^(JSR223|BeanShell|BSF)/;
const SEQUENTIAL_CONTROLLERS =
  /^(TransactionController|GenericController|RecordingController|com\.blazemeter\.jmeter\.controller\.ParallelSampler|CriticalSectionController)$/;

/** Converts the samplers of a thread group to steps. */
export class Samplers {
  /** Rates of throughput timers, in order. */
  readonly rates: Rate[] = [];
  /** Origin of the first sampler whose server is known. */
  origin: string | null = null;
  cookies: 'journey' | 'user' | 'ignore' = 'ignore';
  timeoutSeconds: number | null = null;
  connectSeconds: number | null = null;
  private readonly draft: Draft;
  private readonly values: Values;

  constructor(draft: Draft, values: Values) {
    this.draft = draft;
    this.values = values;
  }

  /** Returns the surrounding scope, extended by the elements of one level. */
  buildScope(elements: readonly Element[], outerScope: Scope | null): Scope {
    let scope = outerScope ?? EMPTY_SCOPE;
    for (const element of elements) {
      if (!element.isEnabled) continue;
      const { kind, xml } = element;
      const location = element.title.slice(0, 60);
      const timer = readTimer(this.draft, this.values, element, location);
      if (timer.rate !== undefined) this.rates.push(timer.rate);
      if (timer.isTimer) scope = { ...scope, pause: timer.pause ?? scope.pause };
      else if (/Extractor$|PostProcessor$|Assertion$/.test(kind) && !CODE_ELEMENT_PATTERN.test(kind))
        scope = { ...scope, responses: [...scope.responses, element] };
      else if (kind === 'HeaderManager') {
        const headers = members(xml, 'HeaderManager.headers').map(
          (header) => [textOf(header, 'Header.name'), textOf(header, 'Header.value')] as const,
        );
        scope = { ...scope, headers: [...scope.headers, ...headers] };
      } else if (kind === 'ConfigTestElement' && xml.attributes['guiclass'] === 'HttpDefaultsGui')
        scope = { ...scope, defaults: [...scope.defaults, element] };
      else if (kind === 'CookieManager') {
        this.cookies = isTrue(xml, 'CookieManager.clearEachIteration') ? 'journey' : 'user';
        if (members(xml, 'CookieManager.cookies').length > 0)
          this.draft.noteLeftOut(location, 'It sets cookies by hand.', 'Set them as the cookie of the plan’s target.');
      } else if (kind === 'AuthManager') scope = { ...scope, login: this.login(element) ?? scope.login };
      else this.noteOther(element, location);
    }
    return scope;
  }

  readFlow(elements: readonly Element[], outerScope: Scope, prefix: string, depth: number): FlowPart[] {
    const scope = this.buildScope(elements, outerScope);
    const parts: FlowPart[] = [];
    for (const element of elements) {
      if (!element.isEnabled) {
        this.draft.noteLeftOut(element.title.slice(0, 60), 'It is disabled in the test plan.');
        continue;
      }
      if (SAMPLER_PATTERN.test(element.kind)) parts.push(...this.sampler(element, scope, prefix, parts.at(-1)));
      else if (element.kind === 'TestAction') this.pauseAfter(parts.at(-1), element);
      else parts.push(...this.controller(element, scope, prefix, depth));
    }
    return parts;
  }

  private controller(element: Element, scope: Scope, prefix: string, depth: number): FlowPart[] {
    const { kind, xml } = element;
    const title = element.title.slice(0, 60);
    if (!/Controller$|Controll?$|ParallelSampler$/.test(kind)) return [];
    if (depth >= MAX_DEPTH) {
      this.draft.noteLeftOut(title, 'Controllers are nested too deeply.');
      return [];
    }
    const flow = this.readFlow(element.below, kind === 'OnceOnlyController' ? { ...scope, isOnce: true } : scope, prefix, depth + 1);
    if (flow.length === 0 || SEQUENTIAL_CONTROLLERS.test(kind) || kind === 'OnceOnlyController') return flow;
    switch (kind) {
      case 'LoopController': {
        const loops = numberOf(this.values.plain(textOf(xml, 'LoopController.loops')));
        if (loops !== null && loops >= 0) return [{ repeat: Math.min(MAX_FLOW_REPEATS, Math.floor(loops)), flow }];
        this.draft.noteChanged(title, 'The loop is endless, or its count is a variable.', 'It runs once in each journey.');
        return flow;
      }
      case 'RandomController':
      case 'InterleaveControl':
        if (kind === 'InterleaveControl')
          this.draft.noteChanged(title, 'It alternates between its parts.', 'The plan picks one at random each time.');
        return [{ choose: flow.slice(0, 50).map((part) => ({ weight: 1, flow: [part] })) }];
      case 'ThroughputController': {
        const percent = numberOf(
          this.values.plain(
            textOf(xml, 'ThroughputController.percentThroughput') ||
              (xml.children.find(({ name }) => name === 'FloatProperty')?.children.find(({ name }) => name === 'value')?.text ?? ''),
          ),
        );
        if (percent !== null && percent >= 0 && percent < 100)
          return [
            {
              choose: [
                { weight: percent, flow },
                { weight: 100 - percent, flow: [] },
              ],
            },
          ];
        return flow;
      }
      case 'ForeachController': {
        const list = this.values.toList(textOf(xml, 'ForeachController.inputVal'));
        const isList = this.draft.steps.some(
          ({ captures }) => captures?.some((capture) => capture.as === list && 'which' in capture && capture.which === 'all') ?? false,
        );
        if (list === null || !isList) this.draft.noteChanged(title, 'It loops over a list that no step captures.', 'Its steps run once.');
        else
          this.draft.noteChanged(
            title,
            'It loops over a captured list, with a variable for the item.',
            'Its steps run once, with the whole list as the item. Add forEach to the flow of the plan.',
          );
        return flow;
      }
      default:
        this.draft.noteChanged(title, `${kind} uses a condition or its own order.`, 'Its steps run once in each journey.');
        return flow;
    }
  }

  private noteOther({ kind, xml }: Element, location: string): void {
    if (
      SAMPLER_PATTERN.test(kind) ||
      /Controller$|Controll?$|ParallelSampler$|ThreadGroup$/.test(kind) ||
      kind === 'TestAction' ||
      kind === 'Arguments' ||
      kind === 'CSVDataSet'
    )
      return;
    if (LISTENER_PATTERN.test(kind))
      this.draft.noteLeftOut(location, 'A listener shows or stores results.', 'Holdfast has its own results.');
    else if (CODE_ELEMENT_PATTERN.test(kind)) this.draft.noteLeftOut(location, 'It runs code.', CODE_NOTE);
    else if (kind === 'CacheManager')
      this.draft.noteLeftOut(location, 'It caches responses as browsers do.', 'A plan that fetches the files of pages caches them too.');
    else this.draft.noteLeftOut(location, noteOfUnsupported(kind), xml.name.endsWith('Sampler') ? HTTP_ONLY_NOTE : undefined);
  }

  private login(element: Element): ScopedLogin | null {
    const [first, ...others] = members(element.xml, 'AuthManager.auth_list');
    if (others.length > 0)
      this.draft.noteLeftOut(element.title.slice(0, 60), 'It contains logins for several addresses.', 'The plan uses the first for all.');
    if (first === undefined) return null;
    const [user = '', password = ''] = ['username', 'password'].map((name) => this.values.write(textOf(first, `Authorization.${name}`)));
    return { user, password, origin: readAddress(this.values.plain(textOf(first, 'Authorization.url')))?.origin ?? null };
  }

  /** Adds the pause of a Flow Control Action (`TestAction`) to the request before it. */
  private pauseAfter(part: FlowPart | undefined, element: Element): void {
    const milliseconds = numberOf(this.values.plain(textOf(element.xml, 'ActionProcessor.duration')));
    const index = typeof part === 'string' ? this.draft.steps.findIndex(({ name }) => name === part) : -1;
    const step = this.draft.steps[index];
    if (milliseconds === null || milliseconds <= 0 || step === undefined)
      return this.draft.noteLeftOut(element.title.slice(0, 60), 'It stops, or pauses before the first request.');
    const earlier = step.thinkTime?.kind === 'fixed' ? step.thinkTime.seconds : 0;
    this.draft.steps[index] = { ...step, thinkTime: { kind: 'fixed', seconds: earlier + milliseconds / 1_000 } };
  }

  private sampler(element: Element, outerScope: Scope, prefix: string, before: FlowPart | undefined): FlowPart[] {
    const { xml } = element;
    const location = element.title.slice(0, 60);
    const name = prefix === '' ? element.title : `${prefix}: ${element.title}`;
    if (this.draft.isFullFor(name, location)) return [];
    const own = this.buildScope(element.below, { ...outerScope, pause: null });
    if (own.pause !== null) this.ownPause(before, own.pause, location);
    const pick = (name: string): string => {
      const text = textOf(xml, name);
      return text !== '' ? text : (outerScope.defaults.map((one) => textOf(one.xml, name)).findLast((one) => one !== '') ?? '');
    };
    const place = this.placeOf(pick, location);
    const method = methodOf(textOf(xml, 'HTTPSampler.method') || 'GET');
    if (place === null || method === null) {
      if (method === null) this.draft.noteLeftOut(location, 'Plans do not support its method.', REQUEST_LEFT_OUT_NOTE);
      return [];
    }
    const { path, target, origin } = place;
    this.limits(pick);
    const written = own.headers.map(([name, value]) => [name, this.values.write(value)] as const);
    const headers = [...new Map(written.filter(([name]) => name !== '').map((pair) => [pair[0].toLowerCase(), pair])).values()];
    const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
    const { payload, query } = this.readPayload(
      element,
      method === 'GET' || method === 'HEAD' || method === 'DELETE' || method === 'OPTIONS',
      type,
      location,
    );
    const isForm = payload.kind === 'form' || payload.kind === 'multipart';
    const split = splitLogin(isForm ? headers.filter(([name]) => !/^content-type$/i.test(name)) : headers);
    const kept = readHeaders(this.draft, split.pairs, location);
    const { headers: more = {}, ...body } = payloadFields(this.draft, payload, location);
    const responses: Responses = { captures: [], checks: [], expectStatus: [], budgetMs: null };
    for (const one of own.responses)
      if (!readResponse(this.draft, this.values, one, responses, one.title.slice(0, 60)))
        this.draft.noteLeftOut(
          one.title.slice(0, 60),
          noteOfUnsupported(one.kind),
          'Plans capture with regular expressions, between texts, and from JSON, headers and cookies.',
        );
    if (isTrue(xml, 'HTTPSampler.use_keepalive') === false && textOf(xml, 'HTTPSampler.use_keepalive') !== '')
      this.draft.noteLeftOut(
        location,
        'It closes its connection after the response.',
        'To do so for all requests of the plan, set connections: {reuse: never}.',
      );
    const follows = isTrue(xml, 'HTTPSampler.follow_redirects') || isTrue(xml, 'HTTPSampler.auto_redirects');
    const fetches = isTrue(xml, 'HTTPSampler.image_parser');
    const step: WrittenStep = {
      name,
      ...(method === 'GET' ? {} : { method }),
      ...target,
      path: secretFreePath(this.draft, path, location),
      ...authFields(this.draft, (isFor(own.login, origin, this.origin) ? own.login : null) ?? split.login, location),
      ...(Object.keys(kept).length + Object.keys(more).length === 0 ? {} : { headers: { ...kept, ...more } }),
      ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
      ...body,
      ...(responses.expectStatus.length === 0 ? {} : { expectStatus: responses.expectStatus }),
      ...(responses.checks.length === 0 || method === 'HEAD' ? {} : { checks: responses.checks.slice(0, 20) }),
      ...(responses.captures.length === 0 ? {} : { captures: responses.captures.slice(0, 50) }),
      ...(responses.budgetMs === null ? {} : { budgetMs: responses.budgetMs }),
      ...(follows ? { redirects: { follow: true, mayEndAtLogin: true } } : {}),
      ...(fetches ? { resources: {} } : {}),
      ...(outerScope.pause === null ? {} : { thinkTime: outerScope.pause }),
      ...(outerScope.isOnce && this.cookies === 'user' ? { once: true } : {}),
    };
    if (outerScope.isOnce && this.cookies !== 'user')
      this.draft.noteChanged(
        location,
        'It runs once for each thread.',
        'Users drop their cookies after each journey, so it runs in each journey.',
      );
    const added = this.draft.addStep(step, location);
    return added === null ? [] : [added];
  }

  private ownPause(before: FlowPart | undefined, pause: ThinkTime, location: string): void {
    const index = typeof before === 'string' ? this.draft.steps.findIndex(({ name }) => name === before) : -1;
    const step = this.draft.steps[index];
    if (step === undefined)
      this.draft.noteLeftOut(
        location,
        'It has its own pause, and no request comes before it.',
        'The pause was left out. In a plan, pauses follow requests.',
      );
    else this.draft.steps[index] = { ...step, thinkTime: pause };
  }

  private limits(pick: (name: string) => string): void {
    const response = numberOf(this.values.plain(pick('HTTPSampler.response_timeout')));
    const connect = numberOf(this.values.plain(pick('HTTPSampler.connect_timeout')));
    if (response !== null && response > 0) this.timeoutSeconds = Math.min(3_600, Math.max(1, response / 1_000, this.timeoutSeconds ?? 0));
    if (connect !== null && connect > 0) this.connectSeconds = Math.min(3_600, Math.max(connect / 1_000, this.connectSeconds ?? 0));
  }

  /** Returns the server and the path of a request; null if the address is invalid, or if the plan has no room for the server. */
  private placeOf(pick: (name: string) => string, location: string): Place | null {
    const written = pick('HTTPSampler.path').trim();
    const whole = /^https?:\/\//i.test(this.values.plain(written));
    const domain = this.values.plain(pick('HTTPSampler.domain')).trim();
    const protocol = this.values.plain(pick('HTTPSampler.protocol')).trim() || 'http';
    const port = this.values.plain(pick('HTTPSampler.port')).trim();
    const host = domain.includes(':') && !domain.startsWith('[') ? `[${domain}]` : domain;
    const base = whole
      ? (/^https?:\/\/[^/?#]*/i.exec(this.values.plain(written))?.[0] ?? '')
      : domain === ''
        ? ''
        : `${protocol}://${host}${port === '' ? '' : `:${port}`}`;
    const address = base === '' || base.includes('${') ? null : readAddress(base);
    if (base !== '' && !base.includes('${') && address === null) {
      this.draft.noteLeftOut(location, `${base.slice(0, 80)} is not an http or https address.`, REQUEST_LEFT_OUT_NOTE);
      return null;
    }
    if (address !== null) this.origin ??= address.origin;
    const target = address === null || this.origin === null ? {} : this.draft.targetAt(address.origin, this.origin);
    if (target === null) {
      leaveOutOtherServer(this.draft, location, address?.origin ?? '');
      return null;
    }
    const rest = whole ? this.values.plain(written).slice(base.length) : written;
    const path = this.values.write(rest).replaceAll(/\s/g, '%20').slice(0, 2_048);
    const begin = path.startsWith('//') ? '/.' : path.startsWith('/') || (path.startsWith('{{') && hasPlaceholders(path)) ? '' : '/';
    return { target, origin: address?.origin ?? null, path: `${begin}${path}` };
  }

  private readPayload(
    { xml }: Element,
    isInQuery: boolean,
    type: string,
    location: string,
  ): { payload: Payload; query: [string, string][] } {
    const listed = readArguments({ xml, kind: '', title: '', below: [], isEnabled: true }, 'HTTPsampler.Arguments', 'Arguments.arguments');
    const pairs = listed.map(([name, value]): [string, string] => [name, this.values.write(value)]);
    const named = pairs.filter(([name]) => name !== '');
    const files = members(xml, 'HTTPsampler.Files', 'HTTPFileArgs.files').map((file) => ({
      path: this.values.plain(textOf(file, 'File.path')),
      name: textOf(file, 'File.paramname'),
      type: textOf(file, 'File.mimetype').trim(),
    }));
    const none: Payload = { kind: 'none' };
    if (isTrue(xml, 'HTTPSampler.postBodyRaw')) {
      const text = pairs.map(([, value]) => value).join('');
      return { payload: text === '' ? none : { kind: 'text', text, type, isTemplate: true }, query: [] };
    }
    const [only] = files;
    if (only !== undefined && only.name === '' && named.length === 0) return { payload: { kind: 'file', path: only.path }, query: [] };
    if (files.length > 0 || isTrue(xml, 'HTTPSampler.DO_MULTIPART_POST')) {
      const parts = [
        ...named.map(([name, value]) => ({ name, value })),
        ...files.map((file) => ({
          name: file.name || 'file',
          file: file.path.slice(0, 1_000) || 'file',
          ...partType(this.draft, file.type, location),
        })),
      ];
      return { payload: parts.length === 0 ? none : { kind: 'multipart', parts }, query: [] };
    }
    if (!isInQuery) return { payload: named.length === 0 ? none : { kind: 'form', fields: named }, query: [] };
    const short = named.filter(([name]) => name.length <= 200);
    if (short.length < named.length) this.draft.noteLeftOut(location, 'Parameter names are too long.', LEFT_OUT_NOTE);
    return { payload: none, query: short };
  }
}

/** Returns the note for an unsupported element; its class may be a qualified Java name. */
function noteOfUnsupported(kind: string): string {
  return `${(kind.split('.').at(-1) ?? kind).slice(0, 60)} has no equivalent.`;
}
