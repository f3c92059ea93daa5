import { isBlock } from '#core/base/json.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { type FlowPart, MAX_FLOW_DEPTH, MAX_FLOW_REPEATS } from '#core/plan/schema/flow.ts';
import { type Address, basicLogin, readAddress, secretFreePath } from '../address.ts';
import { literal, translateJson } from '../placeholders.ts';
import { Draft, type Method, methodOf, type WrittenStep } from '../draft.ts';
import { at, entriesAt, textAt } from '../reading.ts';
import { headersFrom, type Payload, payloadFields } from '../requestParts.ts';
import { capturesOf, checksOf } from './captures.ts';
import { secondsOf } from './phases.ts';
import type { Values } from './values.ts';
import {
  CALLS_A_FUNCTION,
  CODE_IS_NEVER_RUN,
  leaveOutLoginOfVariables,
  leaveOutOtherServer,
  leaveOutPause,
  SENT_IN_TURN,
} from '../notes.ts';

const KNOWN_MEMBERS = new Set([
  'url',
  'uri',
  'headers',
  'json',
  'body',
  'form',
  'formData',
  'qs',
  'cookie',
  'capture',
  'match',
  'auth',
  'gzip',
  'followRedirect',
  'expect',
  'name',
]);
/** Two less than the limit of a plan: the choice among scenarios needs room. */
const MAX_DEPTH = MAX_FLOW_DEPTH - 2;

/** Returns the range of a pause in seconds. Imported pauses are never given by their mean alone. */
function rangeOf(pause: WrittenStep['thinkTime']): { readonly from: number; readonly to: number } {
  switch (pause?.kind) {
    case 'fixed':
      return { from: pause.seconds, to: pause.seconds };
    case 'uniform':
      return { from: pause.fromSeconds, to: pause.toSeconds };
    default:
      return { from: 0, to: 0 };
  }
}

/** Converts the flows of the scenarios to steps. */
export class Flow {
  private readonly draft: Draft;
  private readonly values: Values;
  private readonly origin: string;
  /** Path of the target; Artillery puts it before every path. */
  private readonly basePath: string;
  private readonly defaults: readonly (readonly [string, unknown])[];

  constructor(draft: Draft, values: Values, target: Address, defaults: readonly (readonly [string, unknown])[]) {
    this.draft = draft;
    this.values = values;
    this.origin = target.origin;
    this.basePath = target.path === '/' ? '' : target.path;
    this.defaults = defaults;
  }

  partsOf(flow: readonly unknown[], place: string, prefix: string, depth = 0): FlowPart[] {
    const parts: FlowPart[] = [];
    for (const [index, item] of flow.entries()) {
      const here = `${place}[${index}]`;
      const entry = entriesAt(item).find(
        ([name]) => methodOf(name) !== null || ['think', 'loop', 'log', 'function', 'parallel'].includes(name),
      );
      if (entry === undefined) {
        this.draft.leftOut(here, `“${Object.keys(isBlock(item) ? item : {})[0]?.slice(0, 40) ?? String(item).slice(0, 40)}” is unknown.`);
        continue;
      }
      const [action, given] = entry;
      if (action === 'think') this.think(given, here, parts.at(-1));
      else if (action === 'loop') parts.push(...this.loop(item, given, here, prefix, depth));
      else if (action === 'parallel') {
        this.draft.changed(here, 'These requests run in parallel.', SENT_IN_TURN);
        parts.push(...this.partsOf(Array.isArray(given) ? given : [], `${here}.parallel`, prefix, depth));
      } else if (action === 'log') this.draft.leftOut(here, 'It prints a line.');
      else if (action === 'function') this.draft.leftOut(here, CALLS_A_FUNCTION, CODE_IS_NEVER_RUN);
      else parts.push(...this.request(methodOf(action) ?? 'GET', isBlock(given) ? given : { url: given }, here, prefix));
    }
    return parts;
  }

  private think(given: unknown, place: string, before: FlowPart | undefined): void {
    const seconds = secondsOf(given);
    const drawn = seconds === null ? drawnPause(given) : null;
    if (seconds === null && drawn === null)
      return this.draft.leftOut(place, `The pause ${String(given).slice(0, 40)} is not a valid time.`);
    const step = typeof before === 'string' ? this.draft.steps.findIndex(({ name }) => name === before) : -1;
    const found = this.draft.steps[step];
    if (found === undefined) return leaveOutPause(this.draft, place);
    const earlier = rangeOf(found.thinkTime);
    const added = drawn ?? { from: seconds ?? 0, to: seconds ?? 0 };
    if (earlier.from < earlier.to && added.from < added.to)
      this.draft.changed(
        place,
        'Two pauses of random length follow each other.',
        'The plan has one pause, between the sum of their minima and the sum of their maxima.',
      );
    const [fromSeconds, toSeconds] = [earlier.from + added.from, earlier.to + added.to];
    const thinkTime =
      fromSeconds === toSeconds ? { kind: 'fixed' as const, seconds: fromSeconds } : { kind: 'uniform' as const, fromSeconds, toSeconds };
    this.draft.steps[step] = { ...found, thinkTime };
  }

  private loop(item: unknown, given: unknown, place: string, prefix: string, depth: number): FlowPart[] {
    if (depth >= MAX_DEPTH) {
      this.draft.leftOut(place, 'Loops are nested too deeply.');
      return [];
    }
    const body = Array.isArray(given) ? given : [];
    const over = textAt(item, 'over');
    if (at(item, 'whileTrue') !== undefined)
      this.draft.leftOut(`${place}.whileTrue`, 'A script function ends the loop.', 'It runs once, or as often as its count says.');
    if (over !== null) {
      const list = /^\{\{(.*)\}\}$/.exec(this.values.write(`{{${over}}}`))?.[1];
      if (list !== undefined && this.captureAsList(list, `${place}.over`)) {
        const as = this.draft.captureName('item');
        this.values.enterLoop(as);
        const flow = this.partsOf(body, `${place}.loop`, prefix, depth + 1);
        this.values.leaveLoop();
        return flow.length === 0 ? [] : [{ forEach: list, as, flow }];
      }
      this.draft.leftOut(`${place}.over`, `“${over.slice(0, 40)}” is not a list that a step captures.`, 'The steps of the loop run once.');
      return this.partsOf(body, `${place}.loop`, prefix, depth + 1);
    }
    const flow = this.partsOf(body, `${place}.loop`, prefix, depth + 1);
    const repeat = repeatOf(at(item, 'count'));
    if (repeat === null) this.draft.changed(place, 'The loop has no valid count.', 'It runs once.');
    return flow.length === 0 ? [] : repeat === null ? flow : [{ repeat, flow }];
  }

  /** Turns the JSON capture of this name into a list; false if no step captures it. */
  private captureAsList(name: string, place: string): boolean {
    for (const [index, step] of this.draft.steps.entries()) {
      const captures = step.captures ?? [];
      const capture = captures.find(({ as }) => as === name);
      if (capture?.from !== 'json') continue;
      if (capture.which === 'random')
        this.draft.changed(
          place,
          `“${name}” is one random item, not a list. Artillery never runs this loop.`,
          'The plan loops over all items.',
        );
      const whole = captures.map((each) => (each === capture ? { ...capture, which: 'all' as const } : each));
      this.draft.steps[index] = { ...step, captures: whole };
      return true;
    }
    return false;
  }

  private request(method: Method, given: Readonly<Record<string, unknown>>, place: string, prefix: string): FlowPart[] {
    const url = textAt(given, 'url') ?? textAt(given, 'uri') ?? '';
    if (this.draft.isFullFor(textAt(given, 'name') ?? `${method} ${url}`, place)) return [];
    for (const name of Object.keys(given))
      if (!KNOWN_MEMBERS.has(name))
        this.draft.leftOut(
          `${place}.${name.slice(0, 60)}`,
          hookOf(name),
          name === 'ifTrue' ? 'The plan always sends the request.' : undefined,
        );
    const write = (text: string): string => this.values.write(text);
    const path = this.pathOf(write(url), place);
    if (path === null) return [];
    const pairs = [
      ...[...this.defaults, ...entriesAt(given, 'headers')].map(([name, value]) => [name, write(String(value))] as const),
      ...(at(given, 'gzip') === true ? [['Accept-Encoding', 'gzip, deflate'] as const] : []),
      ...this.auth(given, place),
    ];
    const unique = [...new Map(pairs.map((pair) => [pair[0].toLowerCase(), pair])).values()];
    const cookie = entriesAt(given, 'cookie').map(([name, value]) => `${literal(name)}=${write(String(value))}`);
    const headers = headersFrom(
      this.draft,
      [...unique, ...(cookie.length === 0 ? [] : [['Cookie', cookie.join('; ')] as const])],
      `${place}.headers`,
    );
    const query = entriesAt(given, 'qs').map(([name, value]) => [name, write(String(value))] as const);
    const { headers: more = {}, ...body } = payloadFields(this.draft, this.payloadOf(given, pairs), place);
    const { checks, expectStatus } = checksOf(this.draft, this.values, given, place);
    const captures = capturesOf(this.draft, this.values, given, place);
    const [bare = ''] = path.split('?', 1);
    const name = `${prefix === '' ? '' : `${prefix}: `}${textAt(given, 'name') ?? `${method} ${bare === '' ? '/' : bare}`}`;
    const step: WrittenStep = {
      name,
      ...(method === 'GET' ? {} : { method }),
      path: secretFreePath(this.draft, path, `${place}.url`),
      ...(Object.keys(headers).length + Object.keys(more).length === 0 ? {} : { headers: { ...headers, ...more } }),
      ...(query.length === 0 ? {} : { query: Object.fromEntries(query.filter(([key]) => key.length > 0 && key.length <= 200)) }),
      ...body,
      ...(expectStatus === null ? {} : { expectStatus }),
      ...(checks.length === 0 || method === 'HEAD' ? {} : { checks }),
      ...(captures.length === 0 ? {} : { captures }),
      ...(at(given, 'followRedirect') === false ? {} : { redirects: { follow: true, mayEndAtLogin: true } }),
    };
    const added = this.draft.addStep(step, place);
    return added === null ? [] : [added];
  }

  /** Returns null for a request to another server. */
  private pathOf(written: string, place: string): string | null {
    if (!/^https?:\/\//i.test(written)) return this.relative(written, place);
    const absolute = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(written);
    const address = absolute === null || hasPlaceholders(absolute[1] ?? '') ? null : readAddress(absolute[1] ?? '');
    if (address?.origin === this.origin)
      return (absolute?.[2] ?? '').startsWith('/') ? (absolute?.[2] ?? '').slice(0, 2_048) : `/${absolute?.[2] ?? ''}`.slice(0, 2_048);
    leaveOutOtherServer(this.draft, place, (absolute?.[1] ?? written).slice(0, 80));
    return null;
  }

  /** Artillery puts the whole target before an address that begins with a slash. */
  private relative(written: string, place: string): string {
    const base = this.basePath.replace(/\/$/, '');
    if (written === '') return base;
    if (base !== this.basePath && written.startsWith('/'))
      this.draft.changed('config.target', 'It ends with a slash, and Artillery appends another.', 'The plan has one slash.');
    if (/^(\/|\\?\{\{)/.test(written)) return `${base}${written}`.slice(0, 2_048);
    this.draft.changed(place, `“${written.slice(0, 60)}” does not begin with a slash. Artillery refuses it.`, 'The plan adds the slash.');
    return `${base}/${written}`.slice(0, 2_048);
  }

  private auth(given: unknown, place: string): (readonly [string, string])[] {
    const user = textAt(given, 'auth', 'user') ?? textAt(given, 'auth', 'username');
    if (user === null) return [];
    const login = this.values.write(`${user}:${textAt(given, 'auth', 'pass') ?? textAt(given, 'auth', 'password') ?? ''}`);
    if (!hasPlaceholders(login)) return [['Authorization', basicLogin(login)]];
    leaveOutLoginOfVariables(this.draft, `${place}.auth`);
    return [];
  }

  private payloadOf(given: Readonly<Record<string, unknown>>, headers: readonly (readonly [string, string])[]): Payload {
    const write = (text: string): string => this.values.write(text);
    const json = at(given, 'json');
    if (json !== undefined)
      return {
        kind: 'text',
        text: JSON.stringify(translateJson(json, write, 0, (text) => this.values.writeTyped(text))),
        type: 'application/json',
        isTemplate: true,
      };
    const form = entriesAt(given, 'form');
    if (form.length > 0) return { kind: 'form', fields: form.map(([name, value]) => [name, write(String(value))]) };
    const parts = entriesAt(given, 'formData').flatMap(([name, value]): Extract<Payload, { kind: 'multipart' }>['parts'][number][] => {
      const file = textAt(value, 'fromFile');
      if (file !== null) return [{ name: literal(name), file: file.slice(0, 1_000) }];
      return isBlock(value)
        ? [{ name: literal(name), value: write(textAt(value, 'value') ?? '') }]
        : [{ name: literal(name), value: write(String(value)) }];
    });
    if (parts.length > 0) return { kind: 'multipart', parts };
    const body = textAt(given, 'body');
    if (body === null) return { kind: 'none' };
    return { kind: 'text', text: write(body), type: headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '', isTemplate: true };
  }
}

function hookOf(name: string): string {
  if (name === 'ifTrue') return 'The request depends on a condition.';
  return /^(before|after|on)/.test(name) ? CALLS_A_FUNCTION : 'This part of a request is unknown.';
}

const RANDOM_NUMBER = /^\{\{\s*\$randomNumber\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\)\s*\}\}\s*(ms|s)?$/;

/** Returns a pause in seconds that is drawn between two limits; null for anything else. */
function drawnPause(given: unknown): { from: number; to: number } | null {
  const found = typeof given === 'string' ? RANDOM_NUMBER.exec(given.trim()) : null;
  if (found === null) return null;
  const [one, other] = [Number(found[1]), Number(found[2])].map((number) => (found[3] === 'ms' ? number / 1_000 : number));
  return { from: Math.min(one ?? 0, other ?? 0), to: Math.max(one ?? 0, other ?? 0) };
}

/** Returns null for an invalid count, and for 0, which Artillery treats as endless. */
function repeatOf(count: unknown): number | { from: number; to: number } | null {
  const text = String(count).trim();
  const drawn = RANDOM_NUMBER.exec(text);
  if (drawn !== null && drawn[3] === undefined) {
    const ends = [Number(drawn[1]), Number(drawn[2])].map((end) => Math.min(MAX_FLOW_REPEATS, end));
    return { from: Math.min(...ends), to: Math.max(...ends) };
  }
  const [, from = '', to] = /^(\d{1,4})(?:\s*-\s*(\d{1,4}))?$/.exec(text) ?? [];
  // `3-7` counts from 3 to 6.
  const rounds = to === undefined ? Number(from) : Number(to) - Number(from);
  return from === '' || rounds <= 0 ? null : Math.min(MAX_FLOW_REPEATS, rounds);
}
