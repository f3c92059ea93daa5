import { flatCopy } from '#core/flatCopy.ts';
import { parseJsonPath, valueAt } from '#core/bodyCheck/jsonPath.ts';
import type { Capture } from '#core/journey/schema.ts';
import { getOwn } from '#core/ownMembers.ts';
import type { SeenAnswer } from '../bodyCheck/answerReader.ts';
import { PatternSearch } from '../bodyCheck/patternSearch.ts';
import { UnreadableBody } from '../bodyCheck/unreadable.ts';

/** What a journey knows by a name: one text, or a list of them. */
export type KnownValue = string | readonly string[];

/** Where cookies are looked for, and how one of several matches is drawn. */
export interface CaptureContext {
  cookie(name: string): string | null;
  /** A number in (0, 1). */
  draw(): number;
}

export type Capturer = (answer: SeenAnswer, context: CaptureContext) => KnownValue | null;

/** Whether the capture has to look at the body of an answer. */
export function readsBody({ from }: Capture): boolean {
  return from === 'body' || from === 'json' || from === 'between';
}

/** A value is kept for as long as its visitor is there, and there may be thousands: characters of all texts of a capture together, and texts of a list. */
const MOST_CHARACTERS = 65_536;
const MOST_VALUES = 1_000;

/**
 * A capture made ready; it returns null when it finds nothing. The plan's own check has refused patterns and paths that cannot be read. What it returns has memory of its own, so that
 * nobody keeps a page for the sake of a token.
 * A body that cannot be read throws an {@link UnreadableBody}, and so does more than is kept.
 */
export function capturerOf(capture: Capture): Capturer {
  switch (capture.from) {
    case 'body': {
      const pattern = new RegExp(capture.pattern, `${capture.flags.replace('g', '')}g`);
      const search = new PatternSearch(capture.pattern, capture.flags);
      const textOf = (match: RegExpExecArray): string => match[capture.group ?? (match.length > 1 ? 1 : 0)] ?? '';
      return (answer, { draw }) => {
        const text = answer.text();
        return search.within(text, () => chosen(() => textsMatching(text, pattern, textOf), capture, draw));
      };
    }
    case 'between':
      return (answer, { draw }) => {
        const text = answer.text();
        return chosen(() => textsBetween(text, capture.after, capture.before), capture, draw);
      };
    case 'json': {
      const path = parseJsonPath(capture.path) ?? [];
      return (answer, { draw }) => {
        const found = valueAt(jsonOf(answer), path);
        if (!Array.isArray(found)) {
          const text = textOfJson(found);
          return text === null ? nothing(capture) : new Keeper(capture).keep(text);
        }
        const texts = found.flatMap((item: unknown) => textOfJson(item) ?? []);
        return chosen(() => texts, capture, draw);
      };
    }
    case 'header': {
      const pattern = capture.pattern === undefined ? null : new RegExp(capture.pattern);
      return (answer) => {
        // Several lines of one name are joined by a line feed.
        const value = answer.header(capture.name.toLowerCase())?.split('\n')[0];
        if (value === undefined) return null;
        const match = pattern === null ? [value] : pattern.exec(value);
        return match === null ? null : new Keeper(capture).keep(match[1] ?? match[0] ?? '');
      };
    }
    case 'cookie':
      return (_answer, { cookie }) => cookie(capture.name);
    default:
      return capture satisfies never;
  }
}

/** Keeps the texts of one capture of one answer. */
class Keeper {
  private readonly capture: Capture;
  private values = 0;
  private characters = 0;

  constructor(capture: Capture) {
    this.capture = capture;
  }

  keep(found: string): string {
    this.values += 1;
    this.characters += found.length;
    if (this.values > MOST_VALUES || this.characters > MOST_CHARACTERS)
      throw new UnreadableBody('TOO_MUCH_CAPTURED', `“${this.capture.as}”`);
    return flatCopy('html' in this.capture && this.capture.html ? withoutEntities(found) : found);
  }
}

function* textsMatching(text: string, pattern: RegExp, textOf: (match: RegExpExecArray) => string): Generator<string> {
  for (const match of text.matchAll(pattern)) yield textOf(match);
}

function* textsBetween(text: string, after: string, before: string): Generator<string> {
  let position = text.indexOf(after);
  while (position >= 0) {
    const start = position + after.length;
    const end = text.indexOf(before, start);
    if (end < 0) return;
    yield text.slice(start, end);
    position = text.indexOf(after, end + before.length);
  }
}

type Several = Extract<Capture, { which: unknown }>;

function nothing({ which, mayBeEmpty }: Several): KnownValue | null {
  return which === 'all' && mayBeEmpty === true ? [] : null;
}

/** `texts` are what was found, from the beginning whenever it is called: a page may hold millions, of which one is wanted. */
function chosen(texts: () => Iterable<string>, capture: Several, draw: () => number): KnownValue | null {
  const keeper = new Keeper(capture);
  const keep = (text: string | undefined): KnownValue | null => (text === undefined ? nothing(capture) : keeper.keep(text));
  switch (capture.which) {
    case 'first':
      return keep(nth(texts(), 0));
    case 'last':
      return keep(nth(texts(), countOf(texts()) - 1));
    case 'random': {
      const count = countOf(texts());
      return count === 0 ? nothing(capture) : keep(nth(texts(), Math.floor(draw() * count)));
    }
    case 'all': {
      const all: string[] = [];
      for (const text of texts()) all.push(keeper.keep(text));
      return all.length === 0 ? nothing(capture) : all;
    }
    default:
      return capture.which satisfies never;
  }
}

function countOf(texts: Iterable<string>): number {
  let count = 0;
  for (const _ of texts) count += 1;
  return count;
}

function nth(texts: Iterable<string>, position: number): string | undefined {
  let at = 0;
  for (const text of texts) if (at++ === position) return text;
  return undefined;
}

const DEEPEST_JSON = 500;

function jsonOf(answer: SeenAnswer): unknown {
  try {
    return JSON.parse(answer.text());
  } catch (thrown) {
    if (thrown instanceof UnreadableBody) throw thrown;
    return undefined;
  }
}

/** Nothing stands for null too: a server that has no value says so in both ways. What is nested beyond reason is no value either. */
function textOfJson(value: unknown): string | null {
  if (value === undefined || value === null || isTooDeep(value)) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parsing takes any depth; writing it again overflows the stack, or takes a minute for what was parsed in seconds. */
function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST_JSON) return true;
    level = level.flatMap((item) => Object.values(item).filter((inner): inner is object => typeof inner === 'object' && inner !== null));
  }
  return false;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The few named entities that stand in attributes, and numbers. */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return getOwn(ENTITIES, name.toLowerCase()) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}
