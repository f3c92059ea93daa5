import { flatCopy } from '#core/base/text.ts';
import { capturedAt, parseCapturePath } from '#core/work/bodyCheck/jsonPath.ts';
import type { Capture } from '#core/plan/schema/journey.ts';
import { linkPlace, listTextsBetween, textsMatching, decodeEntities } from '#core/work/journey/capturedTexts.ts';
import { encodeFields } from '#core/work/journey/escape.ts';
import { listOfferedFields } from '#core/work/pages/offeredForm.ts';
import { fillTemplate, parseTemplate } from '#core/plan/secrets.ts';
import { findLoginForm, type LoginForm, loginFormPart } from '#core/work/pages/loginForm.ts';
import type { SeenResponse } from '../bodyCheck/keptResponse.ts';
import { PatternSearch } from '../bodyCheck/patternSearch.ts';
import { UnreadableBody } from '../bodyCheck/decodeBody.ts';

/** A value of a journey: a text, or a list of texts. */
export type KnownValue = string | readonly string[];

/** The data that captures use in addition to the response. */
export interface CaptureContext {
  cookie(name: string): string | null;
  /** Returns the value with this name in the journey; null if there is none. */
  readonly known?: (name: string) => KnownValue | null;
  /**
   * Returns the text that a placeholder is filled with.
   * @throws if there is none.
   */
  readonly filled?: (name: string) => string;
  /** Returns the random number of a capture with this index, in (0, 1). */
  draw(index?: number): number;
  readonly url: URL | null;
}

export type Capturer = (response: SeenResponse, context: CaptureContext) => KnownValue | null;

export function readsBody({ from }: Capture): boolean {
  return from === 'body' || from === 'json' || from === 'between' || from === 'loginForm' || from === 'form';
}

/**
 * Maximum number of characters of all texts of one capture, because each of thousands of users keeps the captured texts. The constant below
 * limits the number of texts in a list.
 */
const MAX_CHARACTERS = 65_536;
const MAX_VALUES = 1_000;

/** Returns a prepared capture with its default; see {@link createFinder}. */
export function createCapturer(capture: Capture): Capturer {
  const find = createFinder(capture);
  const otherwise = 'otherwise' in capture ? capture.otherwise : undefined;
  return otherwise === undefined ? find : (response, context) => find(response, context) ?? otherwise;
}

/**
 * Returns a prepared capture, which returns null if it finds nothing. Invalid patterns and paths were already refused by the validation of
 * the plan. Captured values have their own memory, so a token does not keep its page in memory.
 * @throws {UnreadableBody} if the body cannot be read or the capture exceeds its limits.
 */
function createFinder(capture: Capture): Capturer {
  switch (capture.from) {
    case 'body': {
      const pattern = new RegExp(capture.pattern, `${capture.flags.replace('g', '')}g`);
      const search = new PatternSearch(capture.pattern, capture.flags);
      const textOf = (match: RegExpExecArray): string => match[capture.group ?? (match.length > 1 ? 1 : 0)] ?? '';
      return (response, context) => {
        const text = response.text();
        return search.runWithinTime(text, () => chooseText(() => textsMatching(text, pattern, textOf), capture, context));
      };
    }
    case 'between':
      return (response, context) => {
        const text = response.text();
        return chooseText(() => listTextsBetween(text, capture.after, capture.before), capture, context);
      };
    case 'json': {
      const path = parseCapturePath(capture.path) ?? { path: [], within: null };
      return (response, context) => {
        const found = capturedAt(jsonOf(response), path);
        if (capture.typed === true)
          return found === undefined ? emptyCapture(capture) : new Keeper(capture, context).keep(JSON.stringify(found));
        const texts = (Array.isArray(found) ? found : [found]).flatMap((item: unknown) => textOfJson(item) ?? []);
        // A value that is not a list is taken, whichever match is wanted.
        return Array.isArray(found) || texts.length === 0
          ? chooseText(() => texts, capture, context)
          : new Keeper(capture, context).keep(texts[0] ?? '');
      };
    }
    case 'header': {
      const pattern = capture.pattern === undefined ? null : new RegExp(capture.pattern);
      const search = new PatternSearch(capture.pattern ?? '', '');
      return (response, context) => {
        // The values of repeated headers are joined by a line feed.
        const value = response.header(capture.name.toLowerCase())?.split('\n')[0];
        if (value === undefined) return null;
        const match = pattern === null ? [value] : search.runWithinTime(value, () => pattern.exec(value));
        return match === null ? null : new Keeper(capture, context).keep(match[1] ?? match[0] ?? '');
      };
    }
    case 'cookie':
      return (_response, { cookie }) => cookie(capture.name);
    case 'form': {
      const template = parseTemplate(capture.text ?? '');
      return (response, context) => {
        const text = fillTemplate(template, ({ name }) => context.filled?.(name) ?? '');
        const fields = listOfferedFields(response.text(), {
          ...capture,
          text: text === '' ? null : text,
          draw: (index) => context.draw(index),
        });
        return fields === null ? null : new Keeper(capture, context).keep(encodeFields(fields));
      };
    }
    case 'loginForm':
      return (response, context) => {
        const form = context.url === null ? null : parseLoginForm(response.text(), context.url);
        // A login form with another method than POST is sent by a script.
        if (form?.method !== 'POST') throw new UnreadableBody('NO_LOGIN_FORM', 'field for a password');
        const found = loginFormPart(form, capture.part, context);
        return found === null ? null : new Keeper(capture, context).keep(found);
      };
    default:
      return capture satisfies never;
  }
}

let lastPage: { readonly text: string; readonly address: string; readonly form: LoginForm | null } | null = null;

/** Returns the login form of a page. A page is parsed only once for all captures of parts of its form. */
function parseLoginForm(text: string, url: URL): LoginForm | null {
  if (lastPage?.text !== text || lastPage.address !== url.href) lastPage = { text, address: url.href, form: findLoginForm(text, url) };
  return lastPage.form;
}

/** Checks and keeps the texts of one capture of one response. */
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

  /** Returns whether the text may be captured: it is neither a link to another server nor an excluded value. */
  fitsValue(found: string): boolean {
    return this.textOf(found) !== null;
  }

  /** Keeps a text. Returns null if the text may not be captured. */
  keep(found: string): string | null {
    const { capture } = this;
    const kept = this.textOf(found);
    if (kept === null) return null;
    this.values += 1;
    this.characters += kept.length;
    if (this.values > MAX_VALUES || this.characters > MAX_CHARACTERS) throw new UnreadableBody('TOO_MUCH_CAPTURED', `“${capture.as}”`);
    return flatCopy(kept);
  }

  private textOf(found: string): string | null {
    const { capture, from } = this;
    const text = 'html' in capture && capture.html ? decodeEntities(found) : found;
    const taken = 'address' in capture && capture.address === true ? linkPlace(text, from) : text;
    return taken !== null && this.unlike.has(taken) ? null : taken;
  }
}

type SeveralCapture = Extract<Capture, { which: unknown }>;

function emptyCapture({ which, mayBeEmpty }: SeveralCapture): KnownValue | null {
  return which === 'all' && mayBeEmpty === true ? [] : null;
}

/** Chooses one or all of the found texts. Each call of `found` restarts the search, because a page may contain millions of matches. */
function chooseText(found: () => Iterable<string>, capture: SeveralCapture, context: CaptureContext): KnownValue | null {
  const keeper = new Keeper(capture, context);
  // The choice is made only among the texts that may be captured.
  const texts = capture.address === true || capture.unlike !== undefined ? () => keepTexts(keeper, found()) : found;
  const keep = (text: string | undefined): KnownValue | null => (text === undefined ? null : keeper.keep(text)) ?? emptyCapture(capture);
  switch (capture.which) {
    case 'first':
      return keep(findNth(texts(), 0));
    case 'last':
      return keep(findNth(texts(), countOf(texts()) - 1));
    case 'random': {
      const count = countOf(texts());
      return count === 0 ? emptyCapture(capture) : keep(findNth(texts(), Math.floor(context.draw() * count)));
    }
    case 'all': {
      const all: string[] = [];
      for (const text of found()) {
        const kept = keeper.keep(text);
        if (kept !== null) all.push(kept);
      }
      return all.length === 0 ? emptyCapture(capture) : all;
    }
    default:
      return capture.which satisfies never;
  }
}

function* keepTexts(keeper: Keeper, texts: Iterable<string>): Generator<string> {
  for (const text of texts) if (keeper.fitsValue(text)) yield text;
}

function countOf(texts: Iterable<string>): number {
  let count = 0;
  for (const _ of texts) count += 1;
  return count;
}

function findNth(texts: Iterable<string>, position: number): string | undefined {
  let at = 0;
  for (const text of texts) if (at++ === position) return text;
  return undefined;
}

const MAX_JSON_DEPTH = 500;

function jsonOf(response: SeenResponse): unknown {
  try {
    return JSON.parse(response.text());
  } catch (thrown) {
    if (thrown instanceof UnreadableBody) throw thrown;
    return undefined;
  }
}

/**
 * Returns the text of a JSON value. null counts as missing, because servers use it for missing values, and so do excessively nested values.
 */
function textOfJson(value: unknown): string | null {
  if (value === undefined || value === null || isTooDeep(value)) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns whether the value is nested too deeply: converting it to text would overflow the stack or take a minute. */
function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) return true;
    level = level.flatMap((item) => Object.values(item).filter((inner): inner is object => typeof inner === 'object' && inner !== null));
  }
  return false;
}
