import { parseJsonPath, valueAt } from '#core/bodyCheck/jsonPath.ts';
import type { Capture } from '#core/journey/schema.ts';
import { getOwn } from '#core/ownMembers.ts';
import type { SeenAnswer } from '../bodyCheck/answerReader.ts';
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

/**
 * A capture made ready; it returns null when it finds nothing. The plan's own check has refused patterns and paths that cannot be read.
 * A body that cannot be read throws an {@link UnreadableBody}.
 */
export function capturerOf(capture: Capture): Capturer {
  switch (capture.from) {
    case 'body': {
      const pattern = new RegExp(capture.pattern, `${capture.flags.replace('g', '')}g`);
      const textOf = (match: RegExpExecArray): string => match[capture.group ?? (match.length > 1 ? 1 : 0)] ?? '';
      return (answer, { draw }) => {
        const found = [...matchesOf(pattern, answer.text(), capture.which === 'first')].map(textOf);
        return chosen(capture.html ? found.map(withoutEntities) : found, capture, draw);
      };
    }
    case 'between':
      return (answer, { draw }) => {
        const found = textsBetween(answer.text(), capture.after, capture.before, capture.which === 'first');
        return chosen(capture.html ? found.map(withoutEntities) : found, capture, draw);
      };
    case 'json': {
      const path = parseJsonPath(capture.path) ?? [];
      return (answer, { draw }) => {
        const found = valueAt(jsonOf(answer), path);
        if (!Array.isArray(found)) return textOfJson(found) ?? nothing(capture);
        return chosen(
          found.flatMap((item: unknown) => textOfJson(item) ?? []),
          capture,
          draw,
        );
      };
    }
    case 'header': {
      const pattern = capture.pattern === undefined ? null : new RegExp(capture.pattern);
      return (answer) => {
        // Several lines of one name are joined by a line feed.
        const value = answer.header(capture.name.toLowerCase())?.split('\n')[0];
        if (value === undefined || pattern === null) return value ?? null;
        const match = pattern.exec(value);
        return match === null ? null : (match[1] ?? match[0]);
      };
    }
    case 'cookie':
      return (_answer, { cookie }) => cookie(capture.name);
    default:
      return capture satisfies never;
  }
}

function* matchesOf(pattern: RegExp, text: string, onlyFirst: boolean): Generator<RegExpExecArray> {
  for (const match of text.matchAll(pattern)) {
    yield match;
    if (onlyFirst) return;
  }
}

function textsBetween(text: string, after: string, before: string, onlyFirst: boolean): string[] {
  const found: string[] = [];
  let position = text.indexOf(after);
  while (position >= 0) {
    const start = position + after.length;
    const end = text.indexOf(before, start);
    if (end < 0) break;
    found.push(text.slice(start, end));
    if (onlyFirst) break;
    position = text.indexOf(after, end + before.length);
  }
  return found;
}

type Several = Extract<Capture, { which: unknown }>;

function nothing({ which, mayBeEmpty }: Several): KnownValue | null {
  return which === 'all' && mayBeEmpty === true ? [] : null;
}

function chosen(found: readonly string[], capture: Several, draw: () => number): KnownValue | null {
  if (found.length === 0) return nothing(capture);
  switch (capture.which) {
    case 'first':
      return found[0] ?? null;
    case 'last':
      return found.at(-1) ?? null;
    case 'random':
      return found[Math.floor(draw() * found.length)] ?? null;
    case 'all':
      return found;
    default:
      return capture.which satisfies never;
  }
}

function jsonOf(answer: SeenAnswer): unknown {
  try {
    return JSON.parse(answer.text());
  } catch (thrown) {
    if (thrown instanceof UnreadableBody) throw thrown;
    return undefined;
  }
}

/** Nothing stands for null too: a server that has no value says so in both ways. */
function textOfJson(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
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
