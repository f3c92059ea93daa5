import { hasPlaceholders } from '#core/plan/secrets.ts';
import { durationSeconds } from '../commands/amounts.ts';
import { basicLogin, readAddress } from '../address.ts';
import { type Draft, methodOf, type WrittenStep } from '../draft.ts';
import { type JsonValue, escapePlaceholders, unescapePlaceholders } from '../placeholders.ts';
import { type Pair, type Payload, stepOf } from '../requestParts.ts';
import {
  assumeServer,
  UUID_NOTE,
  REQUEST_LEFT_OUT_NOTE,
  STAND_IN_TARGET,
  noteUnknownLogin,
  noteUnknownMethod,
  describeMissingAddress,
} from '../notes.ts';
import { type ResponsePart, findMember, numberIn, plainText, tooMuchToFollow, type Value } from './values.ts';

const MAX_TEXT_CHARACTERS = 100_000;
const MAX_DEPTH = 60;
/** Maximum number of evaluated expressions and statements, plus values converted for requests. Scripts of thousands of lines need fewer. */
const MAX_WORK = 200_000;
/** Number of characters that count as much as one value. */
const CHARACTERS_PER_WORK = 256;
const DEFAULT_MAX_REDIRECTS = 10;

/** Converts values of a script to plan text, and requests to steps. */
export class Requests {
  readonly draft: Draft;
  /** Maximum number of redirects of requests that set none. */
  redirects = DEFAULT_MAX_REDIRECTS;
  /** Longest time-out of all requests in seconds; null if no request sets one. */
  timeoutSeconds: number | null = null;
  private origin: string | null = null;
  private work = 0;
  private readonly captures = new Map<string, string>();
  /** Variables by drawn value: all uses of a value share one variable. */
  private readonly drawn = new Map<Value, string>();

  constructor(draft: Draft) {
    this.draft = draft;
  }

  get target(): string {
    return this.origin ?? STAND_IN_TARGET;
  }

  /** Counts work. Throws a RangeError beyond {@link MAX_WORK}. */
  spend(amount: number): void {
    this.work += amount;
    if (this.work > MAX_WORK) throw tooMuchToFollow();
  }

  textOf(value: Value, line: number): string {
    this.spend(1);
    switch (value.kind) {
      case 'text':
        return value.text;
      case 'plain':
        return String(value.value);
      case 'placeholder':
        return `{{${value.name}}}`;
      case 'stringified':
        return JSON.stringify(this.jsonOf(value.value, line));
      case 'list':
        return this.joinTexts(value.items, line);
      case 'drawn':
      case 'random':
        return `{{${this.addVariable(value, line)}}}`;
      case 'found':
        return `{{${this.capture(value, line)}}}`;
      case 'builtin':
        return this.textOfBuiltin(value.name, value, line);
      default:
        return `{{${this.askForValue(value, line)}}}`;
    }
  }

  /** Joins texts of a list as JavaScript does, but stops once the result is longer than a plan allows. */
  private joinTexts(items: readonly Value[], line: number): string {
    let joined = '';
    for (const [index, item] of items.entries()) {
      joined += `${index === 0 ? '' : ','}${this.textOf(item, line)}`;
      if (!isShort(joined)) break;
    }
    return joined;
  }

  /** Returns a value as JSON for a body; captured and drawn values keep their types. */
  jsonOf(value: Value, line: number, depth = 0): JsonValue {
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    // A small script can make a large body if its values share members, so each value counts as work.
    this.spend(1 + (value.kind === 'text' ? value.text.length / CHARACTERS_PER_WORK : 0));
    switch (value.kind) {
      case 'plain':
        return value.value ?? null;
      case 'list':
        return value.items.map((item) => this.jsonOf(item, line, depth + 1));
      case 'object':
        return Object.fromEntries(
          [...value.members].flatMap(([name, member]) =>
            member.kind === 'plain' && member.value === undefined ? [] : [[escapePlaceholders(name), this.jsonOf(member, line, depth + 1)]],
          ),
        );
      case 'found':
        return this.readTypedValue(value, line);
      case 'placeholder':
        return value.isNumber ? `{{${value.name}|raw}}` : `{{${value.name}}}`;
      case 'random':
        return `{{${this.addVariable(value, line)}|raw}}`;
      default:
        return this.textOf(value, line);
    }
  }

  /** Returns plan text for a builtin: the user number, a UUID for the iteration number, or a value that Holdfast asks for. */
  private textOfBuiltin(name: string, value: Value, line: number): string {
    if (name === '__VU' || /\bvu\.id\w*$/.test(name)) return `{{${this.draft.variable('user', { kind: 'number' })}}}`;
    if (name !== '__ITER' && !/\biteration\w*$/.test(name)) return `{{${this.askForValue(value, line)}}}`;
    this.draft.noteChanged(`line ${line}`, 'It uses the number of the iteration.', UUID_NOTE);
    return `{{${this.draft.variable('iteration', { kind: 'uuid' })}}}`;
  }

  private addVariable(value: Extract<Value, { kind: 'drawn' | 'random' }>, line: number): string {
    const known = this.drawn.get(value);
    if (known !== undefined) return known;
    const name = this.nameOfDrawn(value, line);
    this.drawn.set(value, name);
    return name;
  }

  private nameOfDrawn(value: Extract<Value, { kind: 'drawn' | 'random' }>, line: number): string {
    if (value.kind === 'random')
      return this.draft.ownVariable('number', {
        kind: 'integer',
        from: Math.ceil(value.from),
        to: Math.max(Math.ceil(value.from), Math.floor(value.to)),
      });
    const items = value.items.flatMap((item) => plainText(item) ?? numberIn(item) ?? []);
    if (items.length === value.items.length && items.length > 0)
      return this.draft.ownVariable('item', { kind: 'item', of: items.slice(0, 10_000) });
    return this.askForValue({ kind: 'unknown', what: 'member' }, line);
  }

  private readTypedValue(value: ResponsePart, line: number): string {
    const name = this.capture(value, line);
    const typed = value.from === 'json' ? this.draft.captureOfTyped(name) : null;
    return typed === null ? `{{${name}}}` : `{{${typed}|raw}}`;
  }

  /** Returns a placeholder for a value that is known only in a run; Holdfast asks for it. */
  private askForValue(value: Value, line: number): string {
    const what = value.kind === 'unknown' ? value.what : 'a value of the script';
    const label = /^[A-Za-z_]\w{0,39}$/.test(what) ? what : `VALUE_OF_LINE_${line}`;
    this.draft.noteAssumed(`line ${line}`, `“${what}” is not in the script.`, `Holdfast asks for ${label} when the plan runs.`);
    return this.draft.variable(label, this.draft.askSecret(label));
  }

  private capture(found: ResponsePart, line: number): string {
    const step = this.draft.steps.find(({ name }) => name === found.step);
    if (step === undefined || (step.captures?.length ?? 0) >= 50) return this.askForValue({ kind: 'unknown', what: found.at }, line);
    const key = `${found.step ?? ''} ${found.from} ${found.at}`;
    const known = this.captures.get(key);
    if (known !== undefined) return known;
    const lastWord = found.at.split(/[^\w-]+/).findLast((part) => /[A-Za-z]/.test(part)) ?? 'value';
    const captureName = this.draft.captureName(found.from === 'json' ? lastWord : found.at);
    this.draft.changeStep(found.step, (sent) => ({ ...sent, captures: [...(sent.captures ?? []), buildCapture(found, captureName)] }));
    this.captures.set(key, captureName);
    return captureName;
  }

  /** Adds a step and returns its name; null if no step can be made, which is noted. */
  send(method: string, [address, body, params]: readonly (Value | undefined)[], line: number, group: string): string | null {
    const location = `line ${line}`;
    const known = methodOf(method);
    const written = address === undefined ? '' : this.textOf(address, line);
    const server = this.readServer(written, location);
    if (known === null || server === null) {
      const what =
        known === null ? noteUnknownMethod(method) : describeMissingAddress(unescapePlaceholders(written).split(/[?#]/, 1)[0] ?? '');
      this.draft.noteLeftOut(location, what, REQUEST_LEFT_OUT_NOTE);
      return null;
    }
    const tag = plainText(findMember(findMember(params, 'tags'), 'name'));
    const name = `${group}${tag ?? `${known} ${server.path.split('?', 1)[0] ?? '/'}`}`;
    if (this.draft.isFullFor(name, location)) return null;
    const headers = this.headerPairs(params, line);
    const auth = plainText(findMember(params, 'auth'));
    if (auth !== null && auth !== 'basic') this.draft.noteLeftOut(location, noteUnknownLogin(auth));
    if (server.login !== null) headers.push(['Authorization', basicLogin(server.login)]);
    const payload = known === 'GET' || known === 'HEAD' ? { kind: 'none' as const } : this.readPayload(body, headers, line);
    const seconds = timeSeconds(findMember(params, 'timeout'));
    if (seconds !== null) this.timeoutSeconds = Math.max(this.timeoutSeconds ?? 1, Math.min(3_600, seconds));
    const maxRedirects = Math.min(50, numberIn(findMember(params, 'redirects')) ?? this.redirects);
    const redirects = maxRedirects > 0 ? { redirects: { follow: true as const, most: maxRedirects, mayEndAtLogin: true } } : {};
    const { path, target } = server;
    const step = stepOf(this.draft, { name, method: known, target, path: path.slice(0, 2_048), headers, payload, ...redirects }, location);
    return this.draft.addStep(step, location);
  }

  /** Returns the path and target of an address; the server may be unknown before a run. */
  private readServer(written: string, location: string): { target: { target?: string }; path: string; login: string | null } | null {
    const [, head = '', rest = ''] = /^(https?:\/\/[^/?#]*|\{\{[^{}]*\}\})(.*)$/is.exec(written.trim()) ?? [];
    if (head === '') return written.startsWith('/') ? { target: {}, path: written, login: null } : null;
    const path = (rest.startsWith('/') ? rest : `/${rest}`).split('#', 1)[0]?.replaceAll(' ', '%20') ?? '/';
    if (head.includes('{{')) {
      if (this.origin === null) assumeServer(this.draft, location, 'The server is not in the script.');
      return { target: {}, path, login: null };
    }
    const address = readAddress(unescapePlaceholders(head));
    if (address === null) return null;
    this.origin ??= address.origin;
    const target = this.draft.targetAt(address.origin, this.origin);
    return target === null ? null : { target, path, login: address.login };
  }

  private headerPairs(params: Value | undefined, line: number): Pair[] {
    const pairs = listMembers(findMember(params, 'headers')).map(([name, value]): Pair => [name, this.textOf(value, line)]);
    const cookies = listMembers(findMember(params, 'cookies')).map(
      ([name, value]) => `${name}=${this.textOf(findMember(value, 'value') ?? value, line)}`,
    );
    return cookies.length === 0 ? pairs : [...pairs, ['Cookie', cookies.join('; ')]];
  }

  private readPayload(body: Value | undefined, headers: readonly Pair[], line: number): Payload {
    const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
    if (body === undefined) return { kind: 'none' };
    switch (body.kind) {
      case 'plain':
        return { kind: 'none' };
      case 'object':
        return this.buildForm(listMembers(body), line);
      case 'file':
        return { kind: 'file', path: body.path };
      case 'stringified':
        // The script serializes the value as JSON, so the plan can contain it as JSON.
        return { kind: 'text', text: JSON.stringify(this.jsonOf(body.value, line)), type: 'application/json', isTemplate: true };
      default:
        return { kind: 'text', text: this.textOf(body, line), type, isTemplate: true };
    }
  }

  private buildForm(fields: readonly (readonly [string, Value])[], line: number): Payload {
    if (fields.some(([, value]) => value.kind === 'file')) {
      const parts = fields.map(([name, value]) =>
        value.kind === 'file' ? { name, file: value.path } : { name, value: this.textOf(value, line) },
      );
      return { kind: 'multipart', parts };
    }
    const items = fields.flatMap(([name, value]) => (value.kind === 'list' ? value.items : [value]).map((item) => [name, item] as const));
    return { kind: 'form', fields: items.map(([name, item]) => [name, this.textOf(item, line)]) };
  }
}

function buildCapture({ from, at }: ResponsePart, captureName: string): NonNullable<WrittenStep['captures']>[number] {
  if (from === 'json') return { from, as: captureName, path: at };
  return from === 'body' ? { from, as: captureName, pattern: at } : { from, as: captureName, name: at };
}

function listMembers(value: Value | undefined): (readonly [string, Value])[] {
  return value?.kind === 'object' ? [...value.members] : [];
}

/** Parses a time-out (`60s`, or a number of milliseconds) into seconds; null if invalid. */
function timeSeconds(value: Value | undefined): number | null {
  const number = value?.kind === 'plain' ? numberIn(value) : null;
  return number === null ? parseDuration(plainText(value) ?? '') : number / 1_000;
}

/** Parses a k6 duration such as `1h30m10s` or `500ms` into seconds; null if invalid. */
export function parseDuration(written: string): number | null {
  return /[a-z]$/.test(written.trim()) ? durationSeconds(written) : null;
}

/** Returns whether a plan text is short enough to append to. */
export function isShort(joined: string): boolean {
  return joined.length <= MAX_TEXT_CHARACTERS;
}

/** Percent-encodes a text unless it has placeholders. */
export function encodeForm(value: string): string {
  return hasPlaceholders(value) ? value : escapePlaceholders(encodeURIComponent(unescapePlaceholders(value).toWellFormed()));
}
