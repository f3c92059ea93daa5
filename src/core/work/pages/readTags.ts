import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** What is told of a page, tag by tag. */
export interface TagReader {
  /** Attributes are read, and `open` is told, of these only. In lower case. */
  wants(name: string): boolean;
  /** Each attribute by its name in lower case; of several of one name the first counts. */
  open(name: string, attributes: ReadonlyMap<string, string>): void;
  /** Also of tags that were never opened. */
  close(name: string): void;
  /** Asked for each text; null while none is wanted. */
  readonly text: ((text: string) => void) | null;
}

/** More attributes of a tag are left out. */
export const MOST_ATTRIBUTES = 256;
/** Drawings inside of drawings: browsers stop at 512 elements, of whatever kind. */
const MOST_FOREIGN = 64;

/** What stands in these is no part of the page for a browser that runs scripts. */
export const UNSEEN_TAGS: ReadonlySet<string> = new Set(['noscript', 'template']);

const FOREIGN = new Set(['svg', 'math']);
/** HTML begins again inside of these (HTML, “HTML integration point”). */
const INTEGRATION = new Set(['mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml', 'foreignobject', 'desc', 'title']);

/**
 * Reads the tags of a page one after the other, as browsers tokenize HTML. No tree is made and nothing is searched for what a tag belongs to, so
 * whatever a server writes is read in a time that grows with its length, and in no more memory than one tag needs: a parser that keeps a stack needs
 * minutes for a megabyte of nested elements.
 */
export function readTags(html: string, reader: TagReader): void {
  const tokenizer = new Tokenizer({ decodeEntities: true }, new TagScanner(html, reader));
  tokenizer.write(html);
  tokenizer.end();
}

/** Puts what the tokenizer finds together again. Positions are those in the page, which is written in one piece. */
class TagScanner implements TokenizerCallbacks {
  private readonly html: string;
  private readonly reader: TagReader;
  /** Open drawings and formulas, and what in them is HTML again, innermost last. */
  private readonly foreign: string[] = [];
  private name = '';
  /** null while the tag is not wanted. */
  private attributes: Map<string, string> | null = null;
  private attribute = '';
  private value = '';

  constructor(html: string, reader: TagReader) {
    this.html = html;
    this.reader = reader;
  }

  isInForeignContext(): boolean {
    const innermost = this.foreign.at(-1);
    return innermost !== undefined && FOREIGN.has(innermost);
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
    if (attributes !== null && attributes.size < MOST_ATTRIBUTES && !attributes.has(attribute)) attributes.set(attribute, value);
  }

  onopentagend(): void {
    this.open();
    const isInside = this.foreign.length > 0;
    const begins = FOREIGN.has(this.name) || (isInside && INTEGRATION.has(this.name));
    if (begins && this.foreign.length < MOST_FOREIGN) this.foreign.push(this.name);
  }

  /** Only a drawing knows elements that close themselves; anywhere else the slash means nothing. */
  onselfclosingtag(): void {
    if (!this.isInForeignContext() && !FOREIGN.has(this.name)) {
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
