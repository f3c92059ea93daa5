import { isBlock, parseJson } from '#core/base/json.ts';
import { type ServerCall, serverCalls } from './serverCalls.ts';
import { readTags } from './readTags.ts';

/** Matches classes of error messages: `error`, `errorlist`, `alert-danger`, `form-errors`, `notifyproblem`, `errorExplanation`. */
const ERROR_CLASS_PATTERN =
  /^(?:(?:alert|field|flash|form|has|input|is|message|msg|notice|notify|validation)[-_]?)?(?:errors?|danger|invalid|problem)(?:[-_]?(?:box|explanation|list|messages?|msg|note|summary|text))?$/i;
/** Matches classes of alerts that report success. */
const SUCCESS_CLASS_PATTERN = /(?:^|[-_])(?:success|info|notice|ok|confirmation)(?:[-_]|$)/i;
const HIDDEN_CLASS_PATTERN = /^(?:hidden|hide|d-none|invisible|visually-hidden|sr-only)$/i;
/** Matches pages that may contain an error message. All other pages are not parsed. */
const PAGE_HINT_PATTERN = /alert|error|danger|invalid|problem/i;

const MAX_READ_CHARACTERS = 524_288;
const MAX_MESSAGES = 5;

/** Elements without content or closing tag. */
const VOID_TAGS = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
/** Elements whose text is not part of the page. */
const UNREAD_TAGS = new Set(['script', 'style', 'template', 'noscript']);

/**
 * Returns the error messages of a page in order: alerts, elements with an error class, and invalid fields by name. Leaves out empty and
 * hidden messages, which scripts fill in. Returns at most five, from the first 524,288 characters.
 */
export function errorMessages(html: string): string[] {
  const page = html.slice(0, MAX_READ_CHARACTERS);
  return PAGE_HINT_PATTERN.test(page) ? new MessageReader().read(page) : [];
}

class MessageReader {
  private readonly messages: string[] = [];
  /** Element of the current message, and the depth of open elements with the same tag; null outside messages. */
  private within: { readonly tag: string; depth: number; text: string } | null = null;
  private unread: string | null = null;

  read(html: string): string[] {
    readTags(html, {
      wants: () => true,
      open: (tag, attributes) => this.open(tag, attributes),
      close: (tag) => this.close(tag),
      text: (text) => {
        if (this.within !== null && this.unread === null && this.within.text.length < MAX_MESSAGE_CHARACTERS * 4) this.within.text += text;
      },
    });
    this.end();
    return this.messages;
  }

  private open(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (UNREAD_TAGS.has(tag)) this.unread ??= tag;
    if (this.unread !== null || this.messages.length >= MAX_MESSAGES) return;
    if (attributes.get('aria-invalid') === 'true') this.add(`invalid: ${attributes.get('name') ?? attributes.get('id') ?? tag}`);
    if (VOID_TAGS.has(tag)) return;
    if (this.within !== null) {
      if (tag === this.within.tag) this.within.depth += 1;
      else this.within.text += ' ';
    } else if (isMessage(attributes)) this.within = { tag, depth: 1, text: '' };
  }

  private close(tag: string): void {
    if (tag === this.unread) this.unread = null;
    if (this.within === null) return;
    this.within.text += ' ';
    if (tag === this.within.tag && (this.within.depth -= 1) === 0) this.end();
  }

  private end(): void {
    const text = (this.within?.text ?? '').replaceAll(/\s+/g, ' ').trim();
    this.within = null;
    if (/[\p{L}\p{N}]/u.test(text)) this.add(text.slice(0, MAX_MESSAGE_CHARACTERS));
  }

  private add(message: string): void {
    if (this.messages.length < MAX_MESSAGES) this.messages.push(message);
  }
}

function isMessage(attributes: ReadonlyMap<string, string>): boolean {
  const classes = (attributes.get('class') ?? '').split(/\s+/, 20);
  const isHidden =
    attributes.has('hidden') ||
    attributes.get('aria-hidden') === 'true' ||
    /display\s*:\s*none/i.test(attributes.get('style') ?? '') ||
    classes.some((name) => HIDDEN_CLASS_PATTERN.test(name));
  if (isHidden) return false;
  if (classes.some((name) => ERROR_CLASS_PATTERN.test(name))) return true;
  return /^alert$/i.test(attributes.get('role') ?? '') && !classes.some((name) => SUCCESS_CLASS_PATTERN.test(name));
}

/** Text without any of these words is not parsed. */
const ERROR_HINT_PATTERN = /err|danger|exception|fail|fatal|fault|invalid|critical|"(?:ok|success|status|result|state)"|deni|reject|refus/i;
const MAX_CHARACTERS = 262_144;
const MAX_MESSAGE_CHARACTERS = 240;

const ERROR_KIND_PATTERN = /^(?:error|danger|fail(?:ed|ure)?|fatal|invalid|critical)$/i;
const ERROR_CALL_PATTERN = /^(?:show|display|set|add|alert|on|notify)?_?(?:error|danger|fail(?:ure)?)_?(?:message|msg|alert|box|toast)?$/i;
const KIND_MEMBER_PATTERN = /^(?:type|kind|level|status|severity|class|icon|theme|variant)$/i;
const TEXT_MEMBER_PATTERN = /^(?:text|message|msg|title|content|body|description|detail)$/i;

/**
 * Returns the reasons for a refusal in a response with a successful status: error messages of a page, script calls that announce an error,
 * such as `show("Not saved", "error")`, or JSON with an error or an unsuccessful status. A warning is no refusal.
 */
export function responseErrors(text: string): string[] {
  const messages = errorMessages(text);
  if (messages.length > 0 || text.length > MAX_CHARACTERS || !ERROR_HINT_PATTERN.test(text)) return messages;
  const [refused] = refusalInJson(text);
  const called = errorCalls(serverCalls(text));
  return (called.length > 0 ? called : refused === undefined ? [] : [refused]).map((message) => message.slice(0, MAX_MESSAGE_CHARACTERS));
}

/** Returns the messages that script calls announce as an error, or as one of `kinds`. */
export function errorCalls(calls: readonly ServerCall[], kinds: RegExp = ERROR_KIND_PATTERN): string[] {
  return calls.flatMap(({ name, args }) => {
    const members = args.flatMap((arg) => (isBlock(arg) ? Object.entries(arg) : []));
    const isKind = (value: unknown): boolean => typeof value === 'string' && kinds.test(value);
    const hasKind = args.some(isKind) || members.some(([member, value]) => KIND_MEMBER_PATTERN.test(member) && isKind(value));
    const last = name.slice(name.lastIndexOf('.') + 1);
    if (!hasKind && (!ERROR_CALL_PATTERN.test(last) || name.startsWith('console.'))) return [];
    const texts = [...args, ...members.flatMap(([member, value]) => (TEXT_MEMBER_PATTERN.test(member) ? [value] : []))];
    const message = texts.find(
      (value): value is string => typeof value === 'string' && !isKind(value) && /\p{L}/u.test(value) && (hasKind || /\s/.test(value)),
    );
    return message === undefined ? [] : [message.replaceAll(/\s+/g, ' ').trim()];
  });
}

const ERROR_MEMBER_PATTERN = /^(?:errors?|exception|fault|err(?:no|or_?(?:code|no|message|msg|description|text))?)$/i;
const SUCCESS_MEMBER_PATTERN = /^(?:(?:is_?)?(?:success(?:ful)?|succeeded|ok))$/i;
const STATUS_MEMBER_PATTERN = /^(?:status|result|state|outcome|type|kind|level)$/i;
const FAILED_VALUE_PATTERN = /^(?:err(?:or)?|fail(?:ed|ure)?|ko|nok|danger|fatal|exception|denied|rejected|refused|invalid)$/i;
const NO_ERROR_PATTERN = /^(?:0*|no|none|null|false|ok|success)$/i;
/** JSON members that wrap the content of a response. */
const ENVELOPE_MEMBER_PATTERN = /^(?:data|result|response|reply|payload|d|meta|body)$/i;
const MESSAGE_MEMBER_PATTERN = /^(?:message|msg|error_description|detail|details|reason|description|text|title|error|errors)$/i;

function refusalInJson(text: string): string[] {
  if (!/^\s*[{[]/.test(text)) return [];
  const value = parseJson(text);
  if (!isBlock(value)) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => (ENVELOPE_MEMBER_PATTERN.test(name) && isBlock(member) ? [member] : []));
  for (const block of [value, ...inner])
    for (const [name, member] of Object.entries(block)) {
      if (!isRefusal(name, member)) continue;
      return [
        findMessage(ERROR_MEMBER_PATTERN.test(name) ? member : null, 2) ?? findMessage(block) ?? `“${name}” is ${JSON.stringify(member)}`,
      ];
    }
  return [];
}

function isRefusal(name: string, value: unknown): boolean {
  if (SUCCESS_MEMBER_PATTERN.test(name)) return value === false || value === 0 || value === 'false';
  if (STATUS_MEMBER_PATTERN.test(name)) return typeof value === 'string' && FAILED_VALUE_PATTERN.test(value);
  if (!ERROR_MEMBER_PATTERN.test(name)) return false;
  if (typeof value === 'string') return !NO_ERROR_PATTERN.test(value.trim());
  if (Array.isArray(value)) return value.length > 0;
  return isBlock(value) ? Object.keys(value).length > 0 : value === true || (typeof value === 'number' && value !== 0);
}

/** Finds the first text with letters in a JSON value. */
function findMessage(value: unknown, depth = 3): string | null {
  if (typeof value === 'string') return /\p{L}/u.test(value) ? value : null;
  if (depth === 0) return null;
  const members = Array.isArray(value)
    ? value
    : isBlock(value)
      ? Object.entries(value).flatMap(([name, one]) => (MESSAGE_MEMBER_PATTERN.test(name) || depth < 3 ? [one] : []))
      : [];
  for (const member of members) {
    const found = findMessage(member, depth - 1);
    if (found !== null) return found;
  }
  return null;
}
