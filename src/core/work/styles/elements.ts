import { flatCopy } from '#core/base/text.ts';
import { MAX_PAGE_CHARACTERS, readTags, type TagReader, UNSEEN_TAGS } from '#core/work/pages/readTags.ts';

/** Maximum number of elements. Further elements are left out, and deeper elements become children of the deepest allowed element. */
const MAX_ELEMENTS = 10_000;
const MAX_DEPTH = 256;
/** Maximum number of different characters beyond ASCII. */
const MAX_LETTERS = 5_000;

export interface PageElement {
  readonly name: string;
  attributes: ReadonlyMap<string, string>;
  classes: readonly string[];
  /** Parent element; null for the root. */
  readonly parent: PageElement | null;
  /** Previous sibling; null for the first child. */
  readonly previous: PageElement | null;
  /** Position among its siblings, from 1. */
  readonly place: number;
  children: number;
  hasText: boolean;
}

/** Content of a page that style sheets depend on. */
export interface PageElements {
  /** Parents come before their children. */
  readonly elements: readonly PageElement[];
  /** Code points of all characters beyond ASCII in the texts, sorted. */
  readonly letters: readonly number[];
}

const VOID_TAGS = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const HEAD_TAGS = new Set('base link meta script style title'.split(' '));

/** Open elements that a new tag closes implicitly, by the name of the new tag. Few pages write all closing tags. */
const ENDED_TAGS = new Map<string, ReadonlySet<string>>();
const BLOCK_TAGS =
  'address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul';
for (const [opened, ended] of [
  [BLOCK_TAGS, 'p'],
  ['li', 'li p'],
  ['dt dd', 'dt dd p'],
  ['option optgroup', 'option'],
  ['td th', 'td th p'],
  ['tr tbody thead tfoot', 'tr td th p'],
] as const)
  for (const name of opened.split(' ')) ENDED_TAGS.set(name, new Set(ended.split(' ')));

/** Attributes whose values change with each request of a page, so only their presence matters. */
const CHANGING_ATTRIBUTES: ReadonlySet<string> = new Set(['value', 'content', 'nonce', 'src', 'srcset', 'integrity', 'd', 'points']);
const ADDRESS_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'action', 'xlink:href']);
/** Maximum length of an attribute value that counts for the shape. */
const MAX_VALUE_LENGTH = 1_000;

/**
 * Parses the elements of a page in linear time. `shape` is equal for pages that are the same for style sheets, even if texts, values or
 * queries differ.
 */
export function readElements(html: string): PageElements & { readonly shape: string } {
  const reader = new ElementReader();
  readTags(html.slice(0, MAX_PAGE_CHARACTERS), reader);
  return reader.page();
}

class ElementReader implements TagReader {
  readonly text = (text: string): void => this.takeText(text);
  private readonly root = createElement('html', new Map(), null, null);
  private readonly body = createElement('body', new Map(), this.root, null);
  private readonly elements: PageElement[] = [this.root, this.body];
  /** Open elements in the body; the innermost is the last. */
  private readonly opened: PageElement[] = [];
  private readonly lastOf = new Map<PageElement, PageElement>();
  private readonly letters = new Set<number>();
  private unseen = 0;
  private tooDeep = 0;
  private hasBody = false;
  private isInHeadText = false;

  wants(): boolean {
    return true;
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (UNSEEN_TAGS.has(name)) this.unseen += 1;
    if (this.unseen > 0 || name === 'head') return;
    if (name === 'html') adopt(this.root, attributes);
    else if (name === 'body') {
      this.hasBody = true;
      adopt(this.body, attributes);
    } else if (!this.hasBody && HEAD_TAGS.has(name)) this.isInHeadText = !VOID_TAGS.has(name);
    else this.add(name, attributes);
  }

  close(name: string): void {
    if (UNSEEN_TAGS.has(name) && this.unseen > 0) this.unseen -= 1;
    if (HEAD_TAGS.has(name)) this.isInHeadText = false;
    if (this.unseen > 0 || VOID_TAGS.has(name)) return;
    if (this.tooDeep > 0) {
      this.tooDeep -= 1;
      return;
    }
    for (let at = this.opened.length - 1; at >= 0; at -= 1)
      if (this.opened[at]?.name === name) {
        this.opened.length = at;
        return;
      }
  }

  page(): PageElements & { readonly shape: string } {
    const letters = [...this.letters].toSorted((one, other) => one - other);
    const places = new Map(this.elements.map((element, at) => [element, at]));
    const shape = this.elements.map(({ name, attributes, parent, hasText }) => {
      const at = parent === null ? '' : places.get(parent);
      return `${at}<${name} ${[...attributes].map(([key, value]) => `${key}=${value}`).join(' ')}>${hasText ? 'x' : ''}`;
    });
    return { elements: this.elements, letters, shape: [...shape, letters.join(' ')].join('\n') };
  }

  private add(name: string, attributes: ReadonlyMap<string, string>): void {
    this.hasBody = true;
    const ended = ENDED_TAGS.get(name);
    while (ended?.has(this.opened.at(-1)?.name ?? '') === true) this.opened.pop();
    const parent = this.opened.at(-1) ?? this.body;
    if (this.elements.length < MAX_ELEMENTS) {
      const element = createElement(name, lowerCaseNames(attributes), parent, this.lastOf.get(parent) ?? null);
      this.lastOf.set(parent, element);
      parent.children += 1;
      this.elements.push(element);
      if (VOID_TAGS.has(name)) return;
      if (this.opened.length < MAX_DEPTH) {
        this.opened.push(element);
        return;
      }
    }
    if (!VOID_TAGS.has(name)) this.tooDeep += 1;
  }

  private takeText(text: string): void {
    if (this.isInHeadText || this.unseen > 0 || text.trim() === '') return;
    (this.opened.at(-1) ?? this.body).hasText = true;
    if (this.letters.size >= MAX_LETTERS || !/[^\0-\u007F]/.test(text)) return;
    for (const letter of text) if (letter > '\u007F') this.letters.add(letter.codePointAt(0) ?? 0);
  }
}

function createElement(
  name: string,
  attributes: ReadonlyMap<string, string>,
  parent: PageElement | null,
  previous: PageElement | null,
): PageElement {
  const classes = listClasses(attributes);
  return { name, attributes, classes, parent, previous, place: (previous?.place ?? 0) + 1, children: 0, hasText: false };
}

/** Gives `html` or `body` the attributes of a tag, unless an earlier tag has set them. */
function adopt(element: PageElement, attributes: ReadonlyMap<string, string>): void {
  if (element.attributes.size > 0) return;
  element.attributes = lowerCaseNames(attributes);
  element.classes = listClasses(element.attributes);
}

function listClasses(attributes: ReadonlyMap<string, string>): readonly string[] {
  const written = attributes.get('class') ?? '';
  return written === '' ? [] : written.split(/\s+/).filter((each) => each !== '');
}

function lowerCaseNames(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const [name, value] of attributes) kept.set(name, toKeptValue(name, value));
  return kept;
}

function toKeptValue(name: string, value: string): string {
  if (CHANGING_ATTRIBUTES.has(name) || (value.length > MAX_VALUE_LENGTH && name !== 'style')) return '';
  const kept = ADDRESS_ATTRIBUTES.has(name) ? value.replace(/\?[^]*/, '') : value;
  // JavaScript engines copy strings of fewer than 13 characters anyway.
  return kept.length < 13 ? kept : flatCopy(kept);
}
