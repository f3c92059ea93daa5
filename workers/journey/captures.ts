import { flatCopy } from '#core/base/text.ts';
import { parseJsonPath, valueAt } from '#core/work/bodyCheck/jsonPath.ts';
import type { Capture } from '#core/plan/schema/journey.ts';
import { linkPlace, textsBetween, textsMatching, withoutEntities } from '#core/work/journey/capturedTexts.ts';
import { encodedFields } from '#core/work/journey/escape.ts';
import { offeredFields } from '#core/work/pages/offeredForm.ts';
import { fillTemplate, parseTemplate } from '#core/plan/secrets.ts';
import { findLoginForm, type LoginForm, loginFormPart } from '#core/work/pages/loginForm.ts';
import type { SeenAnswer } from '../bodyCheck/keptAnswer.ts';
import { PatternSearch } from '../bodyCheck/patternSearch.ts';
import { UnreadableBody } from '../bodyCheck/decodeBody.ts';

/** What a journey knows by a name: one text, or a list of them. */
export type KnownValue = string | readonly string[];

/** Where cookies are looked for, and how one of several matches is drawn. */
export interface CaptureContext {
  cookie(name: string): string | null;
  /** What the journey knows by a name. */
  readonly known?: (name: string) => KnownValue | null;
  /** The text that a placeholder of that name stands for; it throws where there is none. */
  readonly filled?: (name: string) => string;
  /** The `index`th number of a capture, in (0, 1). */
  draw(index?: number): number;
  /** Where the answer came from. */
  readonly url: URL | null;
}

export type Capturer = (answer: SeenAnswer, context: CaptureContext) => KnownValue | null;

/** Whether the capture has to look at the body of an answer. */
export function readsBody({ from }: Capture): boolean {
  return from === 'body' || from === 'json' || from === 'between' || from === 'loginForm' || from === 'form';
}

/** A value is kept for as long as its user is there, and there may be thousands: characters of all texts of a capture together, and texts of a list. */
const MOST_CHARACTERS = 65_536;
const MOST_VALUES = 1_000;

/** A capture made ready, with what is taken where nothing is found; see {@link finderOf}. */
export function capturerOf(capture: Capture): Capturer {
  const find = finderOf(capture);
  const otherwise = 'otherwise' in capture ? capture.otherwise : undefined;
  return otherwise === undefined ? find : (answer, context) => find(answer, context) ?? otherwise;
}

/**
 * A capture made ready; it returns null when it finds nothing. The plan's own check has refused patterns and paths that cannot be read. What it returns has memory of its own, so that
 * nobody keeps a page for the sake of a token.
 * A body that cannot be read throws an {@link UnreadableBody}, and so does more than is kept.
 */
function finderOf(capture: Capture): Capturer {
  switch (capture.from) {
    case 'body': {
      const pattern = new RegExp(capture.pattern, `${capture.flags.replace('g', '')}g`);
      const search = new PatternSearch(capture.pattern, capture.flags);
      const textOf = (match: RegExpExecArray): string => match[capture.group ?? (match.length > 1 ? 1 : 0)] ?? '';
      return (answer, context) => {
        const text = answer.text();
        return search.within(text, () => chosen(() => textsMatching(text, pattern, textOf), capture, context));
      };
    }
    case 'between':
      return (answer, context) => {
        const text = answer.text();
        return chosen(() => textsBetween(text, capture.after, capture.before), capture, context);
      };
    case 'json': {
      const path = parseJsonPath(capture.path) ?? [];
      return (answer, context) => {
        const found = valueAt(jsonOf(answer), path);
        const texts = (Array.isArray(found) ? found : [found]).flatMap((item: unknown) => textOfJson(item) ?? []);
        // What is no list is one value, whichever is wanted.
        return Array.isArray(found) || texts.length === 0
          ? chosen(() => texts, capture, context)
          : new Keeper(capture, context).keep(texts[0] ?? '');
      };
    }
    case 'header': {
      const pattern = capture.pattern === undefined ? null : new RegExp(capture.pattern);
      const search = new PatternSearch(capture.pattern ?? '', '');
      return (answer, context) => {
        // Several lines of one name are joined by a line feed.
        const value = answer.header(capture.name.toLowerCase())?.split('\n')[0];
        if (value === undefined) return null;
        const match = pattern === null ? [value] : search.within(value, () => pattern.exec(value));
        return match === null ? null : new Keeper(capture, context).keep(match[1] ?? match[0] ?? '');
      };
    }
    case 'cookie':
      return (_answer, { cookie }) => cookie(capture.name);
    case 'form': {
      const template = parseTemplate(capture.text ?? '');
      return (answer, context) => {
        const text = fillTemplate(template, ({ name }) => context.filled?.(name) ?? '');
        const fields = offeredFields(answer.text(), { ...capture, text: text === '' ? null : text, draw: (index) => context.draw(index) });
        return fields === null ? null : new Keeper(capture, context).keep(encodedFields(fields));
      };
    }
    case 'loginForm':
      return (answer, context) => {
        const form = context.url === null ? null : loginFormIn(answer.text(), context.url);
        // Without a method, a script sends the form in a way of its own.
        if (form?.method !== 'POST') throw new UnreadableBody('NO_LOGIN_FORM', 'field for a password');
        const found = loginFormPart(form, capture.part, context);
        return found === null ? null : new Keeper(capture, context).keep(found);
      };
    default:
      return capture satisfies never;
  }
}

let lastPage: { readonly text: string; readonly address: string; readonly form: LoginForm | null } | null = null;

/** The parts of one form are captured one after the other: its page is read once for all of them. */
function loginFormIn(text: string, url: URL): LoginForm | null {
  if (lastPage?.text !== text || lastPage.address !== url.href) lastPage = { text, address: url.href, form: findLoginForm(text, url) };
  return lastPage.form;
}

/** Keeps the texts of one capture of one answer. */
class Keeper {
  private readonly capture: Capture;
  private readonly from: URL | null;
  private readonly unlike: ReadonlySet<string>;
  private values = 0;
  private characters = 0;

  constructor(capture: Capture, { url, known }: CaptureContext) {
    this.capture = capture;
    this.from = url;
    this.unlike = new Set('unlike' in capture && capture.unlike !== undefined ? [known?.(capture.unlike) ?? []].flat() : []);
  }

  /** Whether it is one that may be taken: a link to another server is none, nor is one of those to be left out. */
  takes(found: string): boolean {
    return this.textOf(found) !== null;
  }

  /** null for one that it does not take. */
  keep(found: string): string | null {
    const { capture } = this;
    const kept = this.textOf(found);
    if (kept === null) return null;
    this.values += 1;
    this.characters += kept.length;
    if (this.values > MOST_VALUES || this.characters > MOST_CHARACTERS) throw new UnreadableBody('TOO_MUCH_CAPTURED', `“${capture.as}”`);
    return flatCopy(kept);
  }

  private textOf(found: string): string | null {
    const { capture, from } = this;
    const text = 'html' in capture && capture.html ? withoutEntities(found) : found;
    const taken = 'address' in capture && capture.address === true ? linkPlace(text, from) : text;
    return taken !== null && this.unlike.has(taken) ? null : taken;
  }
}

type Several = Extract<Capture, { which: unknown }>;

function nothing({ which, mayBeEmpty }: Several): KnownValue | null {
  return which === 'all' && mayBeEmpty === true ? [] : null;
}

/** `found` gives what was found, from the beginning whenever it is called: a page may hold millions, of which one is wanted. */
function chosen(found: () => Iterable<string>, capture: Several, context: CaptureContext): KnownValue | null {
  const keeper = new Keeper(capture, context);
  // One of several is chosen among those that may be taken.
  const texts = capture.address === true || capture.unlike !== undefined ? () => takenBy(keeper, found()) : found;
  const keep = (text: string | undefined): KnownValue | null => (text === undefined ? null : keeper.keep(text)) ?? nothing(capture);
  switch (capture.which) {
    case 'first':
      return keep(nth(texts(), 0));
    case 'last':
      return keep(nth(texts(), countOf(texts()) - 1));
    case 'random': {
      const count = countOf(texts());
      return count === 0 ? nothing(capture) : keep(nth(texts(), Math.floor(context.draw() * count)));
    }
    case 'all': {
      const all: string[] = [];
      for (const text of found()) {
        const kept = keeper.keep(text);
        if (kept !== null) all.push(kept);
      }
      return all.length === 0 ? nothing(capture) : all;
    }
    default:
      return capture.which satisfies never;
  }
}

function* takenBy(keeper: Keeper, texts: Iterable<string>): Generator<string> {
  for (const text of texts) if (keeper.takes(text)) yield text;
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
