import { MAX_PAGE_CHARACTERS, readTags, type TagReader } from './readTags.ts';

/** Maximum length of a quotation from a page, in characters. */
const MAX_LENGTH = 400;
const MAX_TEXTS = 40;
const ALERT_CLASS_PATTERN = /(?:^|[\s_-])(?:alert|error|errors|errorlist|flash|notifyproblem|invalid-feedback)(?:$|[\s_-])/i;
const FRAME_CLASS_PATTERN = /(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|sidebar|footer|cookie)(?:$|[\s_-])/i;
const BLOCK_TAGS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'li', 'td', 'dd']);
const HEADING_TAGS = new Set(['h1', 'h2', 'h3', 'h4']);
const UNSEEN_TEXT_TAGS = new Set(['script', 'style', 'template', 'noscript', 'select', 'textarea', 'title', 'nav', 'header', 'footer']);
const CONTAINER_TAGS = new Set(['div', 'section', 'span', 'ul', 'dl', 'table', 'aside', 'form']);
const READ_TAGS = new Set([...BLOCK_TAGS, ...UNSEEN_TEXT_TAGS, ...CONTAINER_TAGS]);

interface PageTexts {
  readonly alerts: string[];
  readonly paragraphs: string[];
  readonly headings: string[];
}

/**
 * Returns the message of a page: its alert, else its paragraphs, else its headings. Menus, footers and hidden parts are left out. Returns
 * null if there is no message.
 */
export function findOwnWords(html: string): string | null {
  const reader = new WordsReader();
  readTags(html.slice(0, MAX_PAGE_CHARACTERS), reader);
  const { alerts, paragraphs, headings } = reader.words();
  const texts = [alerts, paragraphs, headings].find((texts) => texts.length > 0);
  if (texts === undefined) return null;
  const text = [...new Set(texts)].join(' ');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, text.lastIndexOf(' ', MAX_LENGTH))} …`;
}

/** Reads texts by element. Tolerates bad nesting: a closing tag closes the last element of its name. */
class WordsReader implements TagReader {
  text: ((text: string) => void) | null = null;
  private readonly opened: { readonly name: string; readonly isSkipped: boolean; readonly isAlert: boolean }[] = [];
  private readonly found: PageTexts = { alerts: [], paragraphs: [], headings: [] };
  private pieces: string[] = [];
  private block: string | null = null;

  wants(name: string): boolean {
    return READ_TAGS.has(name);
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.opened.length >= 512) return;
    const look = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`;
    const isHidden = attributes.has('hidden') || /display\s*:\s*none/i.test(attributes.get('style') ?? '');
    const isAlert = attributes.get('role') === 'alert' || ALERT_CLASS_PATTERN.test(look);
    // A block or an alert ends the previous block.
    if (BLOCK_TAGS.has(name) || isAlert) this.endBlock();
    this.opened.push({ name, isSkipped: UNSEEN_TEXT_TAGS.has(name) || isHidden || FRAME_CLASS_PATTERN.test(look), isAlert });
    if (BLOCK_TAGS.has(name) || isAlert) this.block = name;
    this.listen();
  }

  close(name: string): void {
    const at = this.opened.findLastIndex((element) => element.name === name);
    if (at < 0) return;
    if (BLOCK_TAGS.has(name) || this.opened.slice(at).some(({ isAlert }) => isAlert)) this.endBlock();
    this.opened.length = at;
    this.listen();
  }

  words(): PageTexts {
    this.endBlock();
    return this.found;
  }

  private listen(): void {
    const isRead = this.block !== null && !this.opened.some(({ isSkipped }) => isSkipped);
    this.text = isRead ? (text) => void this.pieces.push(text) : null;
  }

  private endBlock(): void {
    const text = this.pieces.join('').replaceAll(/\s+/g, ' ').trim();
    const { block } = this;
    this.pieces = [];
    this.block = null;
    if (block === null || !/\p{L}{2}/u.test(text)) return;
    const isAlert = this.opened.some((element) => element.isAlert);
    const list = isAlert ? this.found.alerts : HEADING_TAGS.has(block) ? this.found.headings : block === 'p' ? this.found.paragraphs : null;
    if (list !== null && list.length < MAX_TEXTS) list.push(text);
  }
}
