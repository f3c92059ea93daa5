import type { ThinkTime } from '#core/plan/schema/load.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { readAddress } from '../address.ts';
import { type Draft, methodOf, type WrittenStep } from '../draft.ts';
import { assumeServer, leaveOutOtherServer, noteMadeUpLetters, REQUEST_LEFT_OUT_NOTE, noteUnknownMethod } from '../notes.ts';
import { escapePlaceholders, unescapePlaceholders } from '../placeholders.ts';
import { authFields, formText, type Login, readHeaders, type Pairs, type Payload, payloadFields } from '../requestParts.ts';
import { type Configuration, type FetchSettings, readConfiguredValue, readOkCodes, pageFields } from './configuration.ts';
import { lengthenPause, type Pauses, rangeOf, readThinkTime } from './cycles.ts';
import {
  type GivenArguments,
  isKind,
  isList,
  isUnknown,
  toList,
  type OutsideCalls,
  plainText,
  textOf,
  unknown,
  type Value,
} from './python/values.ts';

/** A request of the test, or a repeated group of parts. */
export type Part = { readonly step: WrittenStep; readonly line: number } | { readonly repeat: number; readonly parts: Part[] };

/** Methods that send no request. */
const METHODS_WITHOUT_REQUEST =
  /^(logd|logi|logdd|setDescription|addMetadata|debugHeaders|clearContext|setUpBench|setUpCycle|tearDownCycle|tearDownBench|waitUntilAvailable)$/;
const REQUEST_METHODS = /^(get|post|put|delete|head|options|propfind|method|exists)$/;
const ACCOUNT_FEED = 'accounts';
const ACCOUNTS_FILE = 'accounts.txt';
const MAX_PARTS = 5_000;
const ADD_CHECK_HINT = 'Add a check of the body to the step before.';

interface TestContext {
  readonly draft: Draft;
  readonly configuration: Configuration | null;
  readonly fetching: FetchSettings;
  readonly pauses: Pauses;
}

/** The requests of a test, in the order in which its program makes them. */
export class TestRequests implements OutsideCalls {
  parts: Part[] = [];
  /** Origin of the first request: `http://host:port`. */
  origin: string | null = null;
  private readonly context: TestContext;
  private okCodes: readonly number[];
  private headers = new Map<string, string>();
  private login: Login | null = null;
  private readonly named = new Map<string, string>();
  private count = 0;

  constructor(context: TestContext) {
    this.context = context;
    this.okCodes = context.fetching.okCodes;
  }

  callOnTest(name: string, args: GivenArguments, line: number): Value | null {
    const { draft } = this.context;
    const [first, second] = args.values;
    if (METHODS_WITHOUT_REQUEST.test(name)) return null;
    if (REQUEST_METHODS.test(name)) {
      this.send(name, args, line);
      return { kind: 'body' };
    }
    if (/^conf_get(Int|Float|List)?$/.test(name)) return readConfiguredValue(this.context, name, args, formatLine(line));
    switch (name) {
      case 'getBody':
        return { kind: 'body' };
      case 'setBasicAuth':
        this.login = {
          user: textOf(first) ?? this.askForValue('the user name', first, line),
          password: textOf(second) ?? this.askForValue('the password', second, line),
        };
        return null;
      case 'clearBasicAuth':
        this.login = null;
        return null;
      case 'addHeader':
      case 'setHeader':
      case 'delHeader': {
        const header = plainText(first) ?? '';
        if (second === null || name === 'delHeader') this.headers.delete(header);
        else this.headers.set(header, textOf(second) ?? this.askForValue(`the header ${header}`, second, line));
        return null;
      }
      case 'setUserAgent':
        this.headers.set('User-Agent', textOf(first) ?? '');
        return null;
      case 'clearHeaders':
        this.headers.clear();
        return null;
      case 'setOkCodes':
        this.okCodes = makeCodes(first) ?? this.okCodes;
        return null;
      case 'sleep':
        this.pauseLonger(readThinkTime(this.context.pauses), line);
        return null;
      case 'xmlrpc':
      case 'xmlrpc_call':
      case 'comet':
        draft.noteLeftOut(formatLine(line), `The test calls self.${name}().`, 'It was left out. Add the request as a step.');
        return unknown(`self.${name}()`);
      case 'getLastUrl':
      case 'getLastBaseUrl':
      case 'listHref':
        return unknown(`self.${name}()`);
      default:
        if (/^(assert|fail)/.test(name)) this.noteAssertion('unread', line);
        else draft.noteLeftOut(formatLine(line), `The test calls self.${name.slice(0, 60)}(), which is not in the file.`);
        return unknown(`self.${name}()`);
    }
  }

  callFunction(name: string, args: GivenArguments, line: number): Value | null {
    const { draft } = this.context;
    const [first, second, third] = args.values;
    const last = name.split('.').at(-1) ?? name;
    switch (last) {
      case 'Data':
        return { kind: 'data', type: plainText(first) ?? '', text: textOf(second) ?? this.askForValue('a body', second, line) };
      case 'Upload':
        return { kind: 'upload', file: plainText(first) ?? 'file' };
      case 'extract_token':
        return this.findCaptured(plainText(second), plainText(third), line);
      case 'xmlrpc_get_credential':
      case 'get_credential':
        return this.account(line);
      case 'time':
        return name === 'time' || name === 'time.time' ? this.variable('now', { kind: 'timestamp', unit: 'seconds' }, line) : null;
      case 'thread_sleep':
        return this.addPause(first, line);
      case 'randint':
      case 'randrange':
        if (typeof first !== 'number' || typeof second !== 'number') return null;
        return this.variable(
          'number',
          { kind: 'integer', from: first, to: last === 'randint' ? second : second - 1, per: 'request' },
          line,
        );
      case 'choice': {
        const items = isList(first) ? first.items.map((item) => (typeof item === 'number' ? item : plainText(item))) : [];
        const texts = items.flatMap((item) => (item === null ? [] : [item]));
        return texts.length === 0 || texts.length < items.length
          ? null
          : this.variable('item', { kind: 'item', of: texts, per: 'request' }, line);
      }
      case 'quote':
      case 'quote_plus':
        return plainText(first) === null ? null : escapePlaceholders(encodeURIComponent(plainText(first) ?? ''));
      case 'urlencode':
        return this.encodeForm(first);
      case 'join':
        return name === 'os.path.join' ? args.values.map((value) => plainText(value) ?? '').join('/') : null;
      case 'Lipsum':
        return null;
      default:
        if (name === 'time.sleep' || name === 'sleep') return this.addPause(first, line);
        if (/^get(Word|UniqWord|Subject|Sentence|Paragraph|Message|PhoneNumber|Address)$/.test(last)) {
          noteMadeUpLetters(draft, formatLine(line));
          return this.variable('text', { kind: 'uuid', per: 'request' }, line);
        }
        return null;
    }
  }

  noteCondition(line: number, what: string): void {
    this.context.draft.noteChanged(
      formatLine(line),
      what === 'if' ? 'Which branch is taken is decided in a run.' : 'How often this is repeated is decided in a run.',
      what === 'if'
        ? 'The plan takes the first branch. Use choose in its flow for both.'
        : 'The plan does it once. Use repeat in its flow for more.',
    );
  }

  noteAssertion(test: Value | 'unread', line: number): void {
    if (test === true) return;
    this.context.draft.noteLeftOut(formatLine(line), 'A plan cannot check this.', ADD_CHECK_HINT);
  }

  checkBody(text: Value, isThere: boolean, line: number): void {
    const isKnown = typeof text === 'string' && text !== '';
    const check = { kind: 'contains' as const, text: isKnown ? text : '', ...(isThere ? {} : { not: true }) };
    if (!isKnown || !this.changeLast((step) => ({ ...step, checks: [...(step.checks ?? []), check] })))
      this.context.draft.noteLeftOut(formatLine(line), 'The text that is checked is made in a run.', ADD_CHECK_HINT);
  }

  loop(iterations: number, iterate: (iteration: number) => boolean): void {
    const before = this.parts;
    const all: Part[][] = [];
    for (let iteration = 0; iteration < iterations; iteration += 1) {
      this.parts = [];
      const goesOn = iterate(iteration);
      if (this.parts.length > 0) all.push(this.parts);
      if (!goesOn) break;
    }
    this.parts = [...before, ...findRepeatedParts(all)];
  }

  private send(name: string, args: GivenArguments, line: number): void {
    const { draft, fetching } = this.context;
    const verb = name === 'method' ? (plainText(args.values[0]) ?? '') : name === 'exists' ? 'get' : name;
    const values = args.values.slice(name === 'method' ? 1 : 0);
    const hasParams = name !== 'delete' && name !== 'head' && name !== 'options';
    const order = [
      'url',
      ...(hasParams ? ['params'] : []),
      ...(name === 'propfind' ? ['depth'] : []),
      'description',
      'ok_codes',
      'load_auto_links',
      'follow_redirect',
    ];
    const argument = (wanted: string): Value | undefined => args.named.get(wanted) ?? values[order.indexOf(wanted)];
    const method = methodOf(verb);
    if (method === null) return draft.noteLeftOut(formatLine(line), noteUnknownMethod(verb), REQUEST_LEFT_OUT_NOTE);
    const path = this.pathOf(argument('url'), line);
    if (path === null || this.count >= MAX_PARTS) return;
    this.count += 1;
    const payload = this.readPayload(argument('params'), line);
    const withQuery = method === 'GET' && payload.kind === 'form' && payload.fields.length > 0;
    const description = unescapePlaceholders(textOf(argument('description')) ?? '').replaceAll(/\{\{[^}]*\}\}/g, '…');
    const isAlone = argument('load_auto_links') === false || name === 'exists' || method === 'HEAD';
    const made = method === 'GET' ? {} : payloadFields(draft, payload, formatLine(line));
    const headers = { ...readHeaders(draft, [...this.headers], formatLine(line)), ...made.headers };
    const step: WrittenStep = {
      name: description === '' || description === 'None' ? `${method} ${path.split('?', 1)[0] ?? ''}` : description,
      ...(method === 'GET' ? {} : { method }),
      path: withQuery ? `${path}?${payload.fields.map(queryField).join('&')}` : path,
      ...authFields(draft, this.login, formatLine(line)),
      ...made,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...pageFields(
        {
          okCodes: makeCodes(argument('ok_codes')) ?? (name === 'exists' ? [200, 301, 302, 303, 307, 404, 503] : this.okCodes),
          isSimple: fetching.isSimple || isAlone,
        },
        { follows: argument('follow_redirect') !== false },
      ),
    };
    this.parts.push({ step, line });
  }

  private pathOf(url: Value | undefined, line: number): string | null {
    const { draft } = this.context;
    const written = textOf(url) ?? this.askForValue('an address', url, line);
    const [, scheme, rest] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(written) ?? [];
    if (scheme === undefined) {
      if (this.origin === null) assumeServer(draft, formatLine(line), 'Only a run decides which server it is.');
      return written;
    }
    const origin = hasPlaceholders(scheme) ? null : (readAddress(`${unescapePlaceholders(scheme)}/`)?.origin ?? null);
    this.origin ??= origin;
    if (origin === null || origin !== this.origin) {
      leaveOutOtherServer(
        draft,
        formatLine(line),
        unescapePlaceholders(scheme)
          .replace(/^https?:\/\/([^@]*@)?/i, '')
          .slice(0, 60),
      );
      return null;
    }
    const path = (rest ?? '').replace(/#.*$/s, '');
    return path.startsWith('/') ? path : `/${path}`;
  }

  private readPayload(params: Value | undefined, line: number): Payload {
    if (params === undefined || params === null) return { kind: 'none' };
    if (isKind(params, 'data')) return { kind: 'text', text: params.text, type: params.type, isTemplate: true };
    const fields = this.fieldsOf(params, line);
    if (fields === null) {
      this.context.draft.noteLeftOut(
        formatLine(line),
        'The parameters are made in a run.',
        'The request is sent without them. Add them as a form of the step.',
      );
      return { kind: 'none' };
    }
    const text = (name: string, value: Value): string => textOf(value) ?? this.askForValue(name, value, line);
    if (!fields.some(([, value]) => isKind(value, 'upload')))
      return { kind: 'form', fields: fields.map(([name, value]) => [name, text(name, value)]) };
    return {
      kind: 'multipart',
      parts: fields.map(([name, value]) => (isKind(value, 'upload') ? { name, file: value.file } : { name, value: text(name, value) })),
    };
  }

  /** Returns the fields of a form. A list value makes several fields of the same name. */
  private fieldsOf(params: Value, line: number): [string, Value][] | null {
    if (!isKind(params, 'dictionary') && !isList(params)) return null;
    const pairs = isList(params) ? params.items.map((item) => (isList(item) ? item.items : [])) : params.entries;
    return pairs.flatMap(([key, value]): [string, Value][] => {
      const name = plainText(key);
      if (name === null || value === undefined) {
        this.context.draft.noteLeftOut(
          formatLine(line),
          'The name of a parameter is made in a run.',
          'It was left out. Add it to the form of the step.',
        );
        return [];
      }
      return isList(value) ? value.items.map((item) => [name, item]) : [[name, value]];
    });
  }

  /** Returns the user name and the password from a row of a file, which replaces FunkLoad’s credential server. */
  private account(line: number): Value {
    const name = this.nameAt('account', line, () => this.context.draft.feed(ACCOUNT_FEED, { file: ACCOUNTS_FILE, format: 'credentials' }));
    this.context.draft.noteChanged(
      formatLine(line),
      'The account comes from a FunkLoad server of accounts.',
      `The plan takes it from ${ACCOUNTS_FILE}, with name:password in each line.`,
    );
    return toList([`{{${name}.username}}`, `{{${name}.password}}`]);
  }

  private findCaptured(after: string | null, before: string | null, line: number): Value | null {
    if (!this.hasLast || after === null || before === null || after === '' || before === '') return null;
    const tokenName = this.nameAt('token', line, () => this.context.draft.captureName('token'));
    const capture = { from: 'between' as const, as: tokenName, after, before };
    this.changeLast((step) => ({ ...step, captures: [...(step.captures ?? []).filter((one) => one.as !== tokenName), capture] }));
    return `{{${tokenName}}}`;
  }

  private variable(wanted: string, variable: Parameters<Draft['variable']>[1], line: number): Value {
    return `{{${this.nameAt(wanted, line, () => this.context.draft.variable(wanted, variable))}}}`;
  }

  /** Returns a placeholder for an unknown text, which Holdfast asks for when the plan runs. */
  private askForValue(what: string, value: Value | undefined, line: number): string {
    const { draft } = this.context;
    const name = this.nameAt(`asked ${what}`, line, () => draft.variable(what, draft.askSecret(what)));
    const why = isUnknown(value) ? value.what : 'its value';
    draft.noteChanged(
      formatLine(line),
      `${what}: ${why} is made in a run.`,
      `Holdfast asks for ${name}. To take it from a response, add a capture to the step before.`,
    );
    return `{{${name}}}`;
  }

  /** Returns the same name whenever a program line is executed again. */
  private nameAt(what: string, line: number, make: () => string): string {
    const key = `${line} ${what}`;
    const name = this.named.get(key) ?? make();
    this.named.set(key, name);
    return name;
  }

  private encodeForm(value: Value | undefined): Value | null {
    const fields = value === undefined ? null : this.fieldsOf(value, 0);
    if (fields === null) return null;
    const texts = fields.map(([name, one]) => [name, textOf(one)] as const);
    return texts.every(([, text]) => text !== null) ? texts.map(([name, text]) => queryField([name, text ?? ''])).join('&') : null;
  }

  private addPause(seconds: Value | undefined, line: number): Value {
    if (typeof seconds === 'number' && seconds > 0) this.pauseLonger({ kind: 'fixed', seconds }, line);
    else
      this.context.draft.noteLeftOut(
        formatLine(line),
        'How long the test pauses is decided in a run.',
        'Set thinkTime of the step before.',
      );
    return null;
  }

  private pauseLonger(pause: ThinkTime | undefined, line: number): void {
    if (pause === undefined) return;
    const [minSeconds, maxSeconds] = rangeOf(pause);
    const usual = readThinkTime(this.context.pauses);
    if (!this.changeLast((step) => ({ ...step, thinkTime: lengthenPause(step.thinkTime ?? usual, minSeconds, maxSeconds) })))
      this.context.draft.noteLeftOut(formatLine(line), 'The test pauses before its first request.');
  }

  private get hasLast(): boolean {
    const last = this.parts.at(-1);
    return last !== undefined && 'step' in last;
  }

  /** Changes the step of the last request; returns false if there is none. */
  private changeLast(change: (step: WrittenStep) => WrittenStep): boolean {
    const last = this.parts.at(-1);
    if (last === undefined || !('step' in last)) return false;
    this.parts[this.parts.length - 1] = { ...last, step: change(last.step) };
    return true;
  }
}

function formatLine(line: number): string {
  return line === 0 ? 'test' : `line ${line}`;
}

function queryField([name, value]: Pairs[number]): string {
  return `${formText(name)}=${hasPlaceholders(value) ? value : formText(unescapePlaceholders(value))}`;
}

function makeCodes(value: Value | undefined): number[] | null {
  const items = isList(value) ? value.items : value === undefined || value === null ? [] : [value];
  return readOkCodes(items.map((item) => (typeof item === 'number' ? item : (plainText(item) ?? ''))));
}

/** Groups consecutive equal iterations into one repeated part. */
function findRepeatedParts(iterations: readonly (readonly Part[])[]): Part[] {
  const groups: { count: number; readonly text: string; readonly parts: readonly Part[] }[] = [];
  for (const parts of iterations) {
    const text = JSON.stringify(parts);
    const last = groups.at(-1);
    if (last?.text === text) last.count += 1;
    else groups.push({ count: 1, text, parts });
  }
  return groups.flatMap(({ count, parts }) => (count === 1 ? parts : [{ repeat: count, parts: [...parts] }]));
}
