import { readTags } from './readTags.ts';

/** Classes of error messages: `error`, `errorlist`, `alert-danger`, `form-errors`, `notifyproblem`, `errorExplanation`. */
const ERROR_CLASS =
  /^(?:(?:alert|field|flash|form|has|input|is|message|msg|notice|notify|validation)[-_]?)?(?:errors?|danger|invalid|problem)(?:[-_]?(?:box|explanation|list|messages?|msg|note|summary|text))?$/i;
/** Classes of alerts that report success. */
const GOOD_CLASS = /(?:^|[-_])(?:success|info|notice|ok|confirmation)(?:[-_]|$)/i;
const HIDDEN_CLASS = /^(?:hidden|hide|d-none|invisible|visually-hidden|sr-only)$/i;
/** A page without any of these words is not parsed. */
const HINTS = /alert|error|danger|invalid|problem/i;

const MAX_CHARACTERS = 524_288;
const MAX_MESSAGES = 5;
const MAX_MESSAGE_CHARACTERS = 240;

/** Elements without content and closing tag. */
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
/** Elements whose text is not part of the page. */
const UNREAD = new Set(['script', 'style', 'template', 'noscript']);

/**
 * Returns the error messages of a page in order: alerts, elements with an error class, and invalid fields by name. Leaves out empty and hidden ones, which
 * scripts fill. Returns at most five, from the first 524,288 characters.
 */
export function errorMessages(html: string): string[] {
  const page = html.slice(0, MAX_CHARACTERS);
  return HINTS.test(page) ? new MessageReader().read(page) : [];
}

class MessageReader {
  private readonly messages: string[] = [];
  /** Element of the current message and the depth of elements with the same tag; null outside messages. */
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
    if (UNREAD.has(tag)) this.unread ??= tag;
    if (this.unread !== null || this.messages.length >= MAX_MESSAGES) return;
    if (attributes.get('aria-invalid') === 'true') this.add(`invalid: ${attributes.get('name') ?? attributes.get('id') ?? tag}`);
    if (VOID.has(tag)) return;
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
    classes.some((name) => HIDDEN_CLASS.test(name));
  if (isHidden) return false;
  if (classes.some((name) => ERROR_CLASS.test(name))) return true;
  return /^alert$/i.test(attributes.get('role') ?? '') && !classes.some((name) => GOOD_CLASS.test(name));
}
