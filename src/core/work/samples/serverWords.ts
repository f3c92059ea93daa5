import { Parser } from 'htmlparser2';
import { isBlock, parseJson } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { errorCalls } from '../pages/responseErrors.ts';
import { serverCalls } from '../pages/serverCalls.ts';

/** Maximum number of characters of a response that are searched. */
export const MAX_READ_CHARACTERS = 65_536;
/** Maximum length of a quotation, in characters. */
export const MAX_QUOTE_LENGTH = 240;
/** Maximum number of visible characters of a page that is quoted as a whole. */
const SHORT_PAGE_LENGTH = 400;
/** JSON members that contain a reason, most specific first. */
const MESSAGE_MEMBERS = ['message', 'error_description', 'detail', 'reason', 'error', 'errors', 'text', 'title', 'statusText'] as const;
const MAX_DEPTH = 4;

/**
 * Returns the reason that the server gave for a failed request: an alert or error message of a page, the title of an error page, the reason
 * in JSON with its code, or the first line of a text. Returns null if there is none. The text is untrusted, so it is reduced to one line
 * without control characters, at most {@link MAX_QUOTE_LENGTH} characters long.
 */
export function findServerMessage(text: string, status: number): string | null {
  const read = text.slice(0, MAX_READ_CHARACTERS);
  const trimmed = read.trimStart();
  // Nobody sees the body of a redirect. It contains a link with the text “index” or “here”.
  if (trimmed === '' || (status >= 300 && status < 400)) return null;
  if (/^[{[]/.test(trimmed)) return quoteMessage(wordsOfJson(trimmed));
  return /<[a-z!][^<>]{0,1000}>/i.test(trimmed) ? quoteMessage(wordsOfPage(trimmed, status)) : quoteMessage(wordsOfText(trimmed, status));
}

function quoteMessage(words: string | null): string | null {
  if (words === null) return null;
  // Bidirectional control characters could change the meaning of a report.
  const line = words.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').replaceAll(/^[ ×✕]+|[ ×✕]+$/g, '');
  if (!/\p{L}/u.test(line)) return null;
  return line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH - 1).trimEnd()}…` : line;
}

/** Returns the first message that a script of the response shows as an error or warning. */
function wordsOfScript(text: string): string | null {
  return (
    errorCalls(serverCalls(text, { isAnyPage: true }), /^(?:error|danger|fail(?:ed|ure)?|fatal|invalid|critical|warning)$/i)[0] ?? null
  );
}

function wordsOfText(text: string, status: number): string | null {
  const [line = ''] = text.split('\n', 1);
  return status >= 400 || text.length <= SHORT_PAGE_LENGTH ? line : null;
}

function wordsOfJson(text: string): string | null {
  const value = parseJson(text);
  if (value !== undefined) return findReason(value, MAX_DEPTH) ?? wordsOfScript(text);
  // The JSON text may be truncated, so it is searched and not parsed.
  for (const member of MESSAGE_MEMBERS) {
    const [, found] = new RegExp(`"${member}"\\s{0,5}:\\s{0,5}"((?:[^"\\\\]|\\\\.){1,${MAX_QUOTE_LENGTH}})`).exec(text) ?? [];
    if (found !== undefined) return found.replaceAll(/\\(?:u[\da-f]{4}|.)/gi, ' ');
  }
  return null;
}

function findReason(value: unknown, depth: number): string | null {
  if (depth === 0) return null;
  if (Array.isArray(value)) return typeof value[0] === 'string' ? value[0] : findReason(value[0], depth - 1);
  if (!isBlock(value)) return null;
  const members = MESSAGE_MEMBERS.flatMap((member) => (Object.hasOwn(value, member) ? [value[member]] : []));
  const texts = members.filter((member) => typeof member === 'string' && member.trim() !== '');
  const text = texts.find((one) => typeof one === 'string' && !BARE_STATUS_PATTERN.test(one.trim()));
  if (typeof text === 'string') return `${text}${formatCode(value)}`;
  for (const member of members) {
    const found = findReason(member, depth - 1);
    if (found !== null) return found;
  }
  // A code with letters is more specific than the text “Error”.
  const code = getOwn(value, 'code');
  if (typeof code === 'string' && /\p{L}/u.test(code)) return code;
  return typeof texts[0] === 'string' ? texts[0] : null;
}

/** Returns the server's error code in parentheses, or an empty text. */
function formatCode(block: Readonly<Record<string, unknown>>): string {
  const code = getOwn(block, 'code');
  return typeof code === 'number' || (typeof code === 'string' && /^[\w.-]{1,40}$/.test(code)) ? ` (${code})` : '';
}

const ALERT_ID_PATTERN = /^(errorexplanation|flash[-_]error|error[-_]?(message|box|explanation)?)$/i;
/**
 * Matches classes of messages in Bootstrap, Rails, Django, Plone, Laravel, WordPress and others. It does not match classes of mere fields.
 */
const MESSAGE_CLASS_PATTERN =
  /^(errornote|notifyproblem|alert-(danger|error)|errormessage|error-message|wp-die-message|exception_value|flash-error|conflict)$/i;
const ERROR_CLASS_PATTERN = /^(error|errors|errorlist|form-errors?|field-?error|invalid-feedback|message-error|is-error)$/i;
const INVISIBLE_ELEMENTS = new Set(['script', 'style', 'template', 'noscript', 'head']);
/** Elements whose text is a label or was entered by a user. */
const FIELD_TAGS = new Set(['input', 'select', 'option', 'textarea', 'label', 'button']);
const CONTAINER_TAGS = new Set(['body', 'html', 'form']);

const INLINE_TAGS = new Set([
  'a',
  'abbr',
  'b',
  'code',
  'em',
  'i',
  'kbd',
  'mark',
  'q',
  'small',
  'span',
  'strong',
  'sub',
  'sup',
  'tt',
  'u',
  'var',
]);
const MAX_MESSAGES = 20;

interface PageMessage {
  text: string;
  readonly rank: number;
  readonly depth: number;
}

/** Reads a page once and collects possible messages. */
class PageReader {
  title = '';
  heading = '';
  visible = '';
  /** Whether the page has fields. Its text then describes them. */
  hasFields = false;
  readonly messages: PageMessage[] = [];
  private readonly open: string[] = [];
  private readonly listening: PageMessage[] = [];
  private hiddenFrom = Number.POSITIVE_INFINITY;

  begin(name: string, attributes: Readonly<Record<string, string>>): void {
    this.open.push(name);
    const depth = this.open.length;
    this.part(name);
    this.hasFields ||= FIELD_TAGS.has(name);
    if (depth >= this.hiddenFrom) return;
    if (INVISIBLE_ELEMENTS.has(name) || isHidden(attributes)) {
      this.hiddenFrom = depth;
      return;
    }
    const rank = FIELD_TAGS.has(name) || CONTAINER_TAGS.has(name) ? null : rankOf(attributes);
    // Elements within a message are part of it.
    if (rank === null || this.messages.length >= MAX_MESSAGES || (this.listening[0]?.rank ?? rank + 1) <= rank) return;
    const received = { text: '', rank, depth };
    this.messages.push(received);
    this.listening.push(received);
  }

  hear(text: string): void {
    const name = this.open.at(-1);
    if (name === 'title' && this.open.includes('head')) this.title += text;
    if (this.open.length >= this.hiddenFrom) return;
    if (name === 'h1') this.heading += text;
    this.take(text, !FIELD_TAGS.has(name ?? ''));
  }

  /** Separates the words of two neighbouring blocks. */
  private part(name: string): void {
    if (!INLINE_TAGS.has(name)) this.take(' ');
  }

  private take(text: string, isMessage = true): void {
    if (this.visible.length <= SHORT_PAGE_LENGTH) this.visible = `${this.visible}${text}`.replaceAll(/\s+/g, ' ');
    if (!isMessage) return;
    for (const received of this.listening) if (received.text.length <= MAX_QUOTE_LENGTH) received.text += text;
  }

  end(): void {
    const depth = this.open.length;
    if (depth === this.hiddenFrom) this.hiddenFrom = Number.POSITIVE_INFINITY;
    while (this.listening.at(-1)?.depth === depth) this.listening.pop();
    this.part(this.open.pop() ?? '');
  }
}

function isHidden({ hidden, style = '', class: classes = '' }: Readonly<Record<string, string>>): boolean {
  return hidden !== undefined || /display\s{0,5}:\s{0,5}none/i.test(style) || /(^|\s)(hidden|d-none)(\s|$)/i.test(classes);
}

/** Returns how likely an element is a message, where lower is more likely; null for an element that is none. */
function rankOf({ role, id = '', class: classes = '' }: Readonly<Record<string, string>>): number | null {
  const tokens = classes.split(/\s+/, 20);
  if (role === 'alert' || ALERT_ID_PATTERN.test(id) || tokens.some((token) => MESSAGE_CLASS_PATTERN.test(token))) return 0;
  return tokens.some((token) => ERROR_CLASS_PATTERN.test(token)) ? 1 : null;
}

/** Matches the error output of PHP within a page. */
const PHP_ERROR_PATTERN = /\b(?:Fatal|Parse|Recoverable fatal) error(?:<\/b>)?:\s{0,5}([^<\n]{1,300})/;
/** Matches text that only repeats the status. */
const BARE_STATUS_PATTERN =
  /^(error )?[45]\d\d\b.{0,40}$|^(internal server error|bad (gateway|request)|not found|forbidden|service unavailable|error)\W*$/i;

function wordsOfPage(html: string, status: number): string | null {
  const page = new PageReader();
  const parser = new Parser(
    { onopentag: (name, attributes) => page.begin(name, attributes), ontext: (text) => page.hear(text), onclosetag: () => page.end() },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.write(html);
  parser.end();
  const shown = page.messages.filter(({ text }) => /\p{L}/u.test(text));
  const message = shown.find(({ rank }) => rank === 0) ?? shown[0];
  // A message such as “Correct the error below.” is followed by the details.
  const detail = shown.find((other) => message !== undefined && other !== message && !message.text.includes(other.text.trim()));
  if (message !== undefined) return `${message.text} ${detail?.text ?? ''}`;
  const announced = wordsOfScript(html);
  if (announced !== null) return announced;
  const [, php] = PHP_ERROR_PATTERN.exec(html) ?? [];
  if (php !== undefined) return php;
  if (status >= 400) {
    const named = [page.title, page.heading].find(
      (text) => text.trim() !== '' && !BARE_STATUS_PATTERN.test(text.replaceAll(/\s+/g, ' ').trim()),
    );
    if (named !== undefined) return named;
  }
  const visible = page.visible.trim();
  return visible.length <= SHORT_PAGE_LENGTH && !page.hasFields && !BARE_STATUS_PATTERN.test(visible) ? visible : null;
}
