import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Receives the tags of a page. */
export interface TagReader {
  /** Returns whether a tag is reported to `open` with its attributes. The name is in lower case. */
  wants(name: string): boolean;
  /** Called at an opening tag, with its attributes by name in lower case. The first of several attributes of the same name counts. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /** Called at a closing tag, also for tags that were never opened. */
  close(name: string): void;
  /** Called with each text; null to skip texts. */
  readonly text: ((text: string) => void) | null;
}

/** Maximum number of characters that are read from a page; parsing must not block the load. */
export const MAX_PAGE_CHARACTERS = 524_288;
/** Maximum number of attributes per tag. */
export const MAX_ATTRIBUTES = 256;
/** Maximum depth of nested drawings. Browsers limit the depth to 512 elements. */
const MAX_FOREIGN_DEPTH = 64;

/** Tags of content that browsers with scripts do not show. */
export const UNSEEN_TAGS: ReadonlySet<string> = new Set(['noscript', 'template']);

const FOREIGN_TAGS = new Set(['svg', 'math']);
/** Foreign elements with HTML content (HTML, “HTML integration point”). */
const INTEGRATION_POINT_TAGS = new Set(['mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml', 'foreignobject', 'desc', 'title']);

/**
 * Reads the tags of a page as browsers tokenize HTML. Builds no tree and searches no ancestors, so any input takes linear time and only the
 * memory of one tag. A parser with a stack needs minutes for a megabyte of nested elements.
 */
export function readTags(html: string, reader: TagReader): void {
  const tokenizer = new Tokenizer({ decodeEntities: true }, new TagScanner(html, reader));
  tokenizer.write(html);
  tokenizer.end();
}

/** Assembles tags from the tokenizer's events. Positions refer to the page, which is written in one piece. */
class TagScanner implements TokenizerCallbacks {
  private readonly html: string;
  private readonly reader: TagReader;
  /** Open drawings and formulas, and open HTML elements within them; the innermost is the last. */
  private readonly foreign: string[] = [];
  private name = '';
  /** Attributes of the current tag; null if the tag is not wanted. */
  private attributes: Map<string, string> | null = null;
  private attribute = '';
  private value = '';

  constructor(html: string, reader: TagReader) {
    this.html = html;
    this.reader = reader;
  }

  isInForeignContext(): boolean {
    const innermost = this.foreign.at(-1);
    return innermost !== undefined && FOREIGN_TAGS.has(innermost);
  }

  onopentagname(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    this.name = name === 'image' && !this.isInForeignContext() ? 'img' : name;
    this.attributes = this.reader.wants(this.name) ? new Map() : null;
  }

  onattribname(start: number, end: number): void {
    if (this.attributes !== null) this.attribute = this.html.slice(start, end).toLowerCase();
  }

  onattribdata(start: number, end: number): void {
    if (this.attributes !== null) this.value += this.html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.attributes !== null) this.value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    const { attributes, attribute, value } = this;
    this.value = '';
    if (attributes !== null && attributes.size < MAX_ATTRIBUTES && !attributes.has(attribute)) attributes.set(attribute, value);
  }

  onopentagend(): void {
    this.open();
    const isInside = this.foreign.length > 0;
    const begins = FOREIGN_TAGS.has(this.name) || (isInside && INTEGRATION_POINT_TAGS.has(this.name));
    if (begins && this.foreign.length < MAX_FOREIGN_DEPTH) this.foreign.push(this.name);
  }

  /** Handles a slash at the end of a tag, which closes the element only in drawings. */
  onselfclosingtag(): void {
    if (!this.isInForeignContext() && !FOREIGN_TAGS.has(this.name)) {
      this.onopentagend();
      return;
    }
    this.open();
    this.reader.close(this.name);
  }

  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    const at = this.foreign.lastIndexOf(name);
    if (at >= 0) this.foreign.length = at;
    this.reader.close(name);
  }

  ontext(start: number, end: number): void {
    this.reader.text?.(this.html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.reader.text?.(String.fromCodePoint(codePoint));
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}

  private open(): void {
    const { attributes } = this;
    this.attributes = null;
    if (attributes !== null) this.reader.open(this.name, attributes);
  }
}
