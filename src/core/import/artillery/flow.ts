import { isBlock } from '#core/base/json.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { type FlowPart, MAX_FLOW_DEPTH, MAX_FLOW_REPEATS } from '#core/plan/schema/flow.ts';
import { type Address, readAddress } from '../address.ts';
import { attributePattern, readCapturePath, readJsonPath, escapePlaceholders, translateJson, findPatternProblem } from '../placeholders.ts';
import { type Draft, withoutNulls, type Method, methodOf, type WrittenStep } from '../draft.ts';
import { valueAtPath, blocksAt, entriesAt, listAt, textAt } from '../reading.ts';
import { FOLLOW_REDIRECTS, type Login, type Pair, type Pairs, pauseAfter, type Payload, stepOf, addPause } from '../requestParts.ts';
import { secondsOf } from './load.ts';
import type { Values } from './values.ts';
import {
  FUNCTION_CALL_NOTE,
  CODE_NOTE,
  FIRST_GROUP_NOTE,
  leaveOutOtherServer,
  leaveOutPause,
  SENT_IN_TURN_NOTE,
  describeSeveralPlaces,
  SINGLE_LOCATION_NOTE,
  noteUnreadExpression,
} from '../notes.ts';
import { countGroups } from '#core/work/journey/capturedTexts.ts';

const KNOWN_MEMBER_PATTERN = /^(?:url|uri|headers|json|body|form|formData|qs|cookie|capture|match|auth|gzip|followRedirect|expect|name)$/;
/** Maximum depth of a flow: two less than a plan allows, because the choice among scenarios needs two levels. */
const MAX_DEPTH = MAX_FLOW_DEPTH - 2;

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

  readFlow(flow: readonly unknown[], location: string, prefix: string, depth = 0): FlowPart[] {
    const parts: FlowPart[] = [];
    for (const [index, item] of flow.entries()) {
      const partLocation = `${location}[${index}]`;
      const isAction = ([name]: readonly [string, unknown]): boolean =>
        methodOf(name) !== null || /^(?:think|loop|log|function|parallel)$/.test(name);
      const [action, given] = entriesAt(item).find(isAction) ?? [];
      switch (action) {
        case undefined: {
          const name = isBlock(item) ? Object.keys(item)[0] : undefined;
          this.draft.noteLeftOut(partLocation, `“${(name ?? String(item)).slice(0, 40)}” is unknown.`);
          break;
        }
        case 'think':
          this.addThinkTime(given, partLocation, parts.at(-1));
          break;
        case 'loop':
          parts.push(...this.readLoop(item, given, partLocation, prefix, depth));
          break;
        case 'parallel':
          this.draft.noteChanged(partLocation, 'These requests run in parallel.', SENT_IN_TURN_NOTE);
          parts.push(...this.readFlow(listAt(given), `${partLocation}.parallel`, prefix, depth));
          break;
        case 'log':
          this.draft.noteLeftOut(partLocation, 'It prints a line.');
          break;
        case 'function':
          this.draft.noteLeftOut(partLocation, FUNCTION_CALL_NOTE, CODE_NOTE);
          break;
        default:
          parts.push(...this.request(methodOf(action) ?? 'GET', isBlock(given) ? given : { url: given }, partLocation, prefix));
      }
    }
    return parts;
  }

  private addThinkTime(given: unknown, location: string, before: FlowPart | undefined): void {
    const seconds = secondsOf(given);
    const added = seconds === null ? readPause(given) : { from: seconds, to: seconds };
    if (added === null) return this.draft.noteLeftOut(location, `The pause ${String(given).slice(0, 40)} is not a valid time.`);
    const step = this.draft.steps.find(({ name }) => name === before);
    if (step === undefined) return leaveOutPause(this.draft, location);
    const own = pauseAfter(step);
    if (own.from < own.to && added.from < added.to) {
      const alternative = 'The plan has one pause, between the sum of their minima and the sum of their maxima.';
      this.draft.noteChanged(location, 'Two pauses of random length follow each other.', alternative);
    }
    this.draft.changeStep(before, (sent) => addPause(sent, added));
  }

  private readLoop(item: unknown, given: unknown, location: string, prefix: string, depth: number): FlowPart[] {
    if (depth >= MAX_DEPTH) {
      this.draft.noteLeftOut(location, 'Loops are nested too deeply.');
      return [];
    }
    const parts = (): FlowPart[] => this.readFlow(listAt(given), `${location}.loop`, prefix, depth + 1);
    const over = textAt(item, 'over');
    if (valueAtPath(item, 'whileTrue') !== undefined)
      this.draft.noteLeftOut(`${location}.whileTrue`, 'A script function ends the loop.', 'It runs once, or as often as its count says.');
    if (over !== null) {
      const list = /^\{\{(.*)\}\}$/.exec(this.values.write(`{{${over}}}`))?.[1];
      if (list !== undefined && this.captureAsList(list, `${location}.over`)) {
        const itemName = this.draft.captureName('item');
        const flow = this.values.readInLoop(itemName, parts);
        return flow.length === 0 ? [] : [{ forEach: list, as: itemName, flow }];
      }
      this.draft.noteLeftOut(
        `${location}.over`,
        `“${over.slice(0, 40)}” is not a list that a step captures.`,
        'The steps of the loop run once.',
      );
      return parts();
    }
    const flow = parts();
    const repeat = readRepeat(valueAtPath(item, 'count'));
    if (repeat === null) this.draft.noteChanged(location, 'The loop has no valid count.', 'It runs once.');
    return flow.length === 0 ? [] : repeat === null ? flow : [{ repeat, flow }];
  }

  /** Turns the JSON capture with this name into a list. Returns false if no step captures the name. */
  private captureAsList(name: string, location: string): boolean {
    const isOfName = ({ as, from }: { as: string; from: string }): boolean => as === name && from === 'json';
    const step = this.draft.steps.find(({ captures = [] }) => captures.some(isOfName));
    if (step === undefined) return false;
    const captures = (step.captures ?? []).map((capture) => {
      if (!isOfName(capture) || capture.from !== 'json') return capture;
      if (capture.which === 'random') {
        const what = `“${name}” is one random item, not a list. Artillery never runs this loop.`;
        this.draft.noteChanged(location, what, 'The plan loops over all items.');
      }
      return { ...capture, which: 'all' as const };
    });
    return this.draft.changeStep(step.name, (sent) => ({ ...sent, captures }));
  }

  private request(method: Method, given: Readonly<Record<string, unknown>>, location: string, prefix: string): FlowPart[] {
    const url = textAt(given, 'url') ?? textAt(given, 'uri') ?? '';
    if (this.draft.isFullFor(textAt(given, 'name') ?? `${method} ${url}`, location)) return [];
    for (const name of Object.keys(given).filter((one) => !KNOWN_MEMBER_PATTERN.test(one))) {
      const alternative = name === 'ifTrue' ? 'The plan always sends the request.' : undefined;
      this.draft.noteLeftOut(`${location}.${name.slice(0, 60)}`, readHook(name), alternative);
    }
    const pairsAt = (member: string): Pair[] => entriesAt(given, member).map(([name, value]) => [name, this.values.write(String(value))]);
    const place = this.placeOf(this.values.write(url), location);
    if (place === null) return [];
    const { path, target } = place;
    const pairs: Pair[] = [
      ...this.defaults.map(([name, value]): Pair => [name, this.values.write(String(value))]),
      ...pairsAt('headers'),
      ...(valueAtPath(given, 'gzip') === true ? [['Accept-Encoding', 'gzip, deflate'] as const] : []),
    ];
    const cookies = pairsAt('cookie').map(([name, value]) => `${escapePlaceholders(name)}=${value}`);
    const headers = [...new Map(pairs.map((pair) => [pair[0].toLowerCase(), pair])).values()];
    if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
    const [bare = ''] = path.split('?', 1);
    const step = stepOf(
      this.draft,
      {
        name: `${prefix === '' ? '' : `${prefix}: `}${textAt(given, 'name') ?? `${method} ${bare === '' ? '/' : bare}`}`,
        method,
        target,
        path,
        headers,
        login: this.login(given),
        query: pairsAt('qs').filter(([name]) => name.length > 0 && name.length <= 200),
        payload: this.readPayload(given, pairs),
        ...readChecks(this.draft, this.values, given, location),
        captures: listCaptures(this.draft, this.values, given, location),
        ...(valueAtPath(given, 'followRedirect') === false ? {} : { redirects: FOLLOW_REDIRECTS }),
      },
      location,
      { header: '.headers', url: '.url' },
    );
    const added = this.draft.addStep(step, location);
    return added === null ? [] : [added];
  }

  /** Returns the target and the path of a request; null if its server is in a variable, or if the plan has no room for the server. */
  private placeOf(written: string, location: string): { readonly target: { readonly target?: string }; readonly path: string } | null {
    const [, origin, rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(written) ?? [];
    if (origin === undefined) return { target: {}, path: this.relativePath(written, location) };
    const address = hasPlaceholders(origin) ? null : readAddress(origin);
    const target = address === null ? null : this.draft.targetAt(address.origin, this.origin);
    if (target !== null) return { target, path: `${rest.startsWith('/') ? '' : '/'}${rest}`.slice(0, 2_048) };
    leaveOutOtherServer(this.draft, location, origin.slice(0, 80));
    return null;
  }

  /** Artillery puts the whole target before an address that begins with a slash. */
  private relativePath(written: string, location: string): string {
    const base = this.basePath.replace(/\/$/, '');
    if (written === '') return base;
    if (base !== this.basePath && written.startsWith('/'))
      this.draft.noteChanged('config.target', 'It ends with a slash, and Artillery appends another.', 'The plan has one slash.');
    if (/^(\/|\\?\{\{)/.test(written)) return `${base}${written}`.slice(0, 2_048);
    this.draft.noteChanged(
      location,
      `“${written.slice(0, 60)}” does not begin with a slash. Artillery refuses it.`,
      'The plan adds the slash.',
    );
    return `${base}/${written}`.slice(0, 2_048);
  }

  private login(given: unknown): Login | null {
    const user = textAt(given, 'auth', 'user') ?? textAt(given, 'auth', 'username');
    if (user === null) return null;
    const password = textAt(given, 'auth', 'pass') ?? textAt(given, 'auth', 'password') ?? '';
    return { user: this.values.write(user), password: this.values.write(password) };
  }

  private readPayload(given: Readonly<Record<string, unknown>>, headers: Pairs): Payload {
    const write = (text: string): string => this.values.write(text);
    const json = valueAtPath(given, 'json');
    if (json !== undefined) {
      const text = JSON.stringify(translateJson(json, write, (one) => this.values.writeTyped(one)));
      return { kind: 'text', text, type: 'application/json', isTemplate: true };
    }
    const form = entriesAt(given, 'form');
    if (form.length > 0) return { kind: 'form', fields: form.map(([name, value]) => [name, write(String(value))]) };
    const parts = entriesAt(given, 'formData').map(([name, value]) => {
      const file = textAt(value, 'fromFile');
      if (file !== null) return { name: escapePlaceholders(name), file: file.slice(0, 1_000) };
      return { name: escapePlaceholders(name), value: write(isBlock(value) ? (textAt(value, 'value') ?? '') : String(value)) };
    });
    if (parts.length > 0) return { kind: 'multipart', parts };
    const body = textAt(given, 'body');
    if (body === null) return { kind: 'none' };
    return { kind: 'text', text: write(body), type: headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '', isTemplate: true };
  }
}

function readHook(name: string): string {
  if (name === 'ifTrue') return 'The request depends on a condition.';
  return /^(before|after|on)/.test(name) ? FUNCTION_CALL_NOTE : 'This part of a request is unknown.';
}

const RANDOM_NUMBER_PATTERN = /^\{\{\s*\$randomNumber\(\s*(\d{1,9})\s*,\s*(\d{1,9})\s*\)\s*\}\}\s*(ms|s)?$/;

/** Returns a pause in seconds that is drawn between two limits; null for anything else. */
function readPause(given: unknown): { from: number; to: number } | null {
  const found = typeof given === 'string' ? RANDOM_NUMBER_PATTERN.exec(given.trim()) : null;
  if (found === null) return null;
  const [one, other] = [Number(found[1]), Number(found[2])].map((number) => (found[3] === 'ms' ? number / 1_000 : number));
  return { from: Math.min(one ?? 0, other ?? 0), to: Math.max(one ?? 0, other ?? 0) };
}

/** Returns null for an invalid count, and for 0, which Artillery treats as endless. */
function readRepeat(count: unknown): number | { from: number; to: number } | null {
  const text = String(count).trim();
  const drawn = RANDOM_NUMBER_PATTERN.exec(text);
  if (drawn !== null && drawn[3] === undefined) {
    const ends = [Number(drawn[1]), Number(drawn[2])].map((end) => Math.min(MAX_FLOW_REPEATS, end));
    return { from: Math.min(...ends), to: Math.max(...ends) };
  }
  const [, from = '', to] = /^(\d{1,4})(?:\s*-\s*(\d{1,4}))?$/.exec(text) ?? [];
  // `3-7` counts from 3 to 6.
  const rounds = to === undefined ? Number(from) : Number(to) - Number(from);
  return from === '' || rounds <= 0 ? null : Math.min(MAX_FLOW_REPEATS, rounds);
}

type Capture = NonNullable<WrittenStep['captures']>[number];
type Check = NonNullable<WrittenStep['checks']>[number];

export function listCaptures(draft: Draft, values: Values, given: unknown, location: string): Capture[] {
  return blocksAt(given, 'capture')
    .slice(0, 50)
    .flatMap((block, index): Capture[] => {
      const captureLocation = `${location}.capture[${index}]`;
      const wanted = textAt(block, 'as') ?? textAt(block, 'transform') ?? `captured_${index + 1}`;
      const found = readCapture(draft, block, captureLocation);
      if (found === null) return [];
      if (valueAtPath(block, 'strict') === false)
        draft.noteChanged(
          `${captureLocation}.strict`,
          'It may find nothing without failing.',
          'A capture that finds nothing ends the journey.',
        );
      return [{ ...found, as: values.resolveCapture(wanted) }];
    });
}

/** Returns a capture without its name; null if a plan cannot express it, which is noted. */
function readCapture(draft: Draft, block: unknown, location: string): Capture | null {
  const as = 'x';
  const json = textAt(block, 'json');
  const pattern = textAt(block, 'regexp');
  if (json !== null) {
    const read = readCapturePath(json);
    if (read !== null && !read.isList) return { from: 'json', as, path: read.path };
    // If a path matches several places, Artillery takes a random one, or all of them if `multiple` is false.
    if (read !== null) return { from: 'json', as, path: read.path, which: valueAtPath(block, 'multiple') === false ? 'all' : 'random' };
    draft.noteLeftOut(location, describeSeveralPlaces(json), SINGLE_LOCATION_NOTE);
    return null;
  }
  if (pattern !== null) {
    const flags = [...new Set(textAt(block, 'flags') ?? '')].filter((flag) => 'imsu'.includes(flag)).join('');
    const problem = findPatternProblem(pattern, flags);
    if (problem === null)
      return { from: 'body', as, pattern, ...withoutNulls({ flags }), ...makeGroup(draft, block, countGroups(pattern, flags), location) };
    draft.noteLeftOut(location, noteUnreadExpression(problem));
    return null;
  }
  const header = textAt(block, 'header') ?? '';
  if (header !== '') return { from: 'header', as, name: header.slice(0, 100) };
  const cookie = textAt(block, 'cookie') ?? '';
  if (cookie !== '') return { from: 'cookie', as, name: cookie.slice(0, 200) };
  const selector = textAt(block, 'selector');
  const [, name] = /^(?:input|meta)\[(?:name|id)=["']?([\w.-]{1,60})["']?\]$/.exec(selector ?? '') ?? [];
  const attribute = textAt(block, 'attr') ?? '';
  if (name !== undefined && /^(value|content)$/.test(attribute)) {
    const alternative = 'A regular expression finds it if the name comes before the value.';
    draft.noteChanged(location, `The selector ${selector ?? ''} selects a part of the page.`, alternative);
    return { from: 'body', as, pattern: attributePattern(name, attribute), html: true };
  }
  const what = selector === null ? 'This kind of capture is unknown.' : `The selector ${selector.slice(0, 80)} has no equivalent.`;
  draft.noteLeftOut(location, what, 'Add a capture with a regular expression, or between two texts.');
  return null;
}

/** Without a group in the script, Artillery takes the whole match; a plan takes the first group. */
function makeGroup(draft: Draft, block: unknown, groups: number, location: string): { group?: number } {
  const written = textAt(block, 'group');
  if (written === null) return groups === 0 ? {} : { group: 0 };
  // Artillery takes the whole match if the group does not exist.
  const group = Number(written) > groups ? 0 : Number(written);
  if (/^\d$/.test(written)) return group === Math.min(1, groups) ? {} : { group };
  draft.noteChanged(`${location}.group`, 'It selects a group by name.', FIRST_GROUP_NOTE);
  return {};
}

/** Returns the requirements for a response: `expect` of the plugin, and `match`. */
export function readChecks(
  draft: Draft,
  values: Values,
  expectations: unknown,
  location: string,
): { checks: Check[]; expectStatus: number[] } {
  const expectStatus: number[] = [];
  const checks: Check[] = [];
  for (const [index, block] of blocksAt(expectations, 'expect').entries()) {
    const codes = blocksAt(block, 'statusCode')
      .map(Number)
      .filter((code) => Number.isInteger(code) && code >= 100 && code <= 599);
    expectStatus.push(...codes);
    const property = textAt(block, 'hasProperty');
    const path = property === null ? null : readJsonPath(property);
    const pattern = textAt(block, 'matchesRegexp') ?? '';
    if (path !== null) checks.push({ kind: 'json', path });
    else if (findPatternProblem(pattern, '') === null) checks.push({ kind: 'matches', pattern });
    else if (codes.length === 0) {
      const alternative = 'A plan can check for texts, patterns, JSON values and sizes.';
      draft.noteLeftOut(`${location}.expect[${index}]`, 'This expectation has no equivalent.', alternative);
    }
  }
  for (const [index, block] of blocksAt(expectations, 'match').entries()) {
    const path = readJsonPath(textAt(block, 'json') ?? '*');
    const value = textAt(block, 'value');
    if (path === null || value === null) draft.noteLeftOut(`${location}.match[${index}]`, 'This match has no equivalent.');
    else checks.push({ kind: 'json', path, equals: values.write(value) });
  }
  return { checks: checks.slice(0, 20), expectStatus };
}
