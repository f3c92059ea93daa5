import { MAX_LINKS, type PageLink } from '#core/work/pages/pageLinks.ts';
import { Cascade, SHORTHAND, type Style } from './cascade.ts';
import { splitList, parseString } from './cssText.ts';
import { PICTURE_PROPERTIES, listPictures, replaceVariables } from './declarations.ts';
import type { PageElement, PageElements } from './elements.ts';
import { type Font, FontFaces, parseFont, weightOf } from './fonts.ts';
import type { Sheet } from './sheet.ts';

/** Style that an element passes on to its children. */
interface InheritedStyle {
  readonly isHidden: boolean;
  readonly font: Font;
  readonly style: Style;
  readonly parentStyle: InheritedStyle | null;
}

const UNDRAWN_TAGS = new Set('area base datalist head link meta noscript param script source style template title track'.split(' '));
/** Elements whose content is a fallback for old browsers. */
const REPLACED_TAGS = new Set('audio canvas iframe object video'.split(' '));
const BOLD_TAGS = new Set('b h1 h2 h3 h4 h5 h6 strong th'.split(' '));
const ITALIC_TAGS = new Set('address cite dfn em i var'.split(' '));
const FIXED_WIDTH_TAGS = new Set('code kbd pre samp tt'.split(' '));
const FIELD_TAGS = new Set('button input select textarea'.split(' '));
const TEXTLESS_TYPE_PATTERN = /^(?:hidden|checkbox|radio|image|file|range|color)$/i;

/** Maximum length of all examined values together. Usual pages need a tenth of it. */
const MAX_CHARACTERS = 2_000_000;

/**
 * Returns the links that a browser requests because of style sheets, in page order: images of rules that apply to visible elements, and
 * fonts of their texts. `sheets` must be in order of precedence; `base` is the address for resolving addresses in the page.
 */
export function findStyledLinks(page: PageElements, sheets: readonly Sheet[], base: string): readonly PageLink[] {
  const drawing = new Drawing(page, sheets, base);
  for (const element of page.elements) drawing.draw(element);
  return drawing.links();
}

class Drawing {
  private readonly cascade: Cascade;
  private readonly faces: FontFaces;
  private readonly letters: readonly number[];
  private readonly drawn = new Map<PageElement, InheritedStyle>();
  private readonly pictures = new Map<string, string | null>();
  private readonly fonts = new Map<string, string | null>();
  private readonly seenFonts = new Set<string>();
  private characters = 0;

  constructor({ letters }: PageElements, sheets: readonly Sheet[], base: string) {
    this.cascade = new Cascade(sheets, base);
    this.faces = new FontFaces(sheets.flatMap(({ faces }) => faces));
    this.letters = ['a'.codePointAt(0) ?? 0, ...letters];
  }

  links(): readonly PageLink[] {
    const links = (kind: 'image' | 'font', found: ReadonlyMap<string, string | null>): PageLink[] =>
      [...found].map(([url, by]) => ({ kind, url, urgency: kind === 'font' ? 'first' : 'low', holdsBody: false, by }));
    return [...links('image', this.pictures), ...links('font', this.fonts)].slice(0, MAX_LINKS);
  }

  draw(element: PageElement): void {
    const parentStyle = element.parent === null ? null : (this.drawn.get(element.parent) ?? null);
    if (parentStyle?.isHidden === true || isShut(element)) {
      this.drawn.set(element, { ...(parentStyle ?? ROOT_STYLE), isHidden: true });
      return;
    }
    const { own, before, after } = this.cascade.computeStyles(element);
    const inherited = defaultFont(element, parentStyle?.font ?? ROOT_STYLE.font);
    const drawn: InheritedStyle = { isHidden: false, font: inherited, style: own, parentStyle };
    const display = this.valueOf(own, 'display', drawn) ?? (isHiddenBy(element) ? 'none' : '');
    const font = this.computeFont(own, inherited, parentStyle?.font ?? ROOT_STYLE.font, drawn);
    const finished = { ...drawn, font, isHidden: /^none\b/i.test(display) };
    this.drawn.set(element, finished);
    if (finished.isHidden) return;
    this.takePictures(own, finished);
    if (element.hasText || hasFieldText(element)) this.takeFont(font, this.letters);
    for (const style of [before, after]) if (style.size > 0) this.drawBeside(style, finished);
  }

  /** Collects the links of a pseudo-element, which exists only if it has a `content`. */
  private drawBeside(style: Style, parentStyle: InheritedStyle): void {
    const drawn: InheritedStyle = { isHidden: false, font: parentStyle.font, style, parentStyle };
    const content = this.valueOf(style, 'content', drawn) ?? 'none';
    if (/^(?:none|normal)\b/i.test(content) || /^none\b/i.test(this.valueOf(style, 'display', drawn) ?? '')) return;
    this.takePictures(style, drawn);
    const text = splitList(content, ' ').map((each) =>
      /^["']/.test(each) ? parseString(each) : /^(?:attr|counters?)\(/i.test(each) ? 'a' : '',
    );
    const letters = Array.from(text.join(''), (letter) => letter.codePointAt(0) ?? 0).toSorted((one, other) => one - other);
    if (letters.length > 0) this.takeFont(this.computeFont(style, parentStyle.font, parentStyle.font, drawn), letters);
  }

  private computeFont(style: Style, usual: Font, parentFont: Font, drawn: InheritedStyle): Font {
    const statedValue = <Value>(
      property: string,
      own: Value,
      outer: Value,
      of: (font: Font) => Value,
      plain: (value: string) => Value | null,
    ): Value => {
      const value = this.valueOf(style, property, drawn)?.trim();
      if (value === undefined || value === '') return own;
      const short = value.startsWith(SHORTHAND) ? value.slice(SHORTHAND.length).trim() : value;
      if (/^(?:inherit|unset)$/i.test(short)) return outer;
      if (short === value) return plain(value) ?? own;
      const font = parseFont(short);
      return font === null ? own : of(font);
    };
    return {
      families: statedValue(
        'font-family',
        usual.families,
        parentFont.families,
        ({ families }) => families,
        (value) => value,
      ),
      weight: statedValue('font-weight', usual.weight, parentFont.weight, ({ weight }) => weight, weightOf),
      isItalic: statedValue(
        'font-style',
        usual.isItalic,
        parentFont.isItalic,
        ({ isItalic }) => isItalic,
        (value) => /^(?:italic|oblique)/i.test(value),
      ),
    };
  }

  /** Returns the value of a property after its variables are replaced, or undefined if there is none. */
  private valueOf(style: Style, property: string, drawn: InheritedStyle): string | undefined {
    const value = style.get(property)?.value;
    if (value === undefined || this.characters > MAX_CHARACTERS) return undefined;
    this.characters += value.length;
    if (!value.includes('var(')) return value;
    return replaceVariables(value, (name) => {
      const given = variable(name, drawn);
      this.characters += value.length + (given?.length ?? 0);
      return given;
    });
  }

  private takePictures(style: Style, drawn: InheritedStyle): void {
    for (const property of PICTURE_PROPERTIES)
      for (const url of listPictures(this.valueOf(style, property, drawn) ?? ''))
        if (this.pictures.size < MAX_LINKS && !this.pictures.has(url)) this.pictures.set(url, style.get(property)?.by ?? null);
  }

  private takeFont(font: Font, letters: readonly number[]): void {
    if (this.faces.isEmpty) return;
    const key = JSON.stringify([font, letters === this.letters ? null : letters]);
    if (this.seenFonts.has(key) || this.seenFonts.size >= MAX_LINKS) return;
    this.seenFonts.add(key);
    for (const { url, by } of this.faces.findFontFiles(font, letters)) if (!this.fonts.has(url)) this.fonts.set(url, by);
  }
}

const ROOT_STYLE: InheritedStyle = {
  isHidden: false,
  font: { families: 'serif', weight: 400, isItalic: false },
  style: new Map(),
  parentStyle: null,
};

/** Returns whether its parent hides an element: a closed `details`, or an element whose content is only a fallback. */
function isShut({ name, parent }: PageElement): boolean {
  if (parent?.name === 'details') return name !== 'summary' && !parent.attributes.has('open');
  return REPLACED_TAGS.has(parent?.name ?? '');
}

function isHiddenBy({ name, attributes }: PageElement): boolean {
  if (UNDRAWN_TAGS.has(name) || attributes.has('hidden')) return true;
  return (name === 'dialog' && !attributes.has('open')) || (name === 'input' && /^hidden$/i.test(attributes.get('type') ?? ''));
}

function hasFieldText({ name, attributes }: PageElement): boolean {
  return (
    name === 'input' &&
    !TEXTLESS_TYPE_PATTERN.test(attributes.get('type') ?? '') &&
    (attributes.has('value') || attributes.has('placeholder'))
  );
}

/** Returns the default font of an element. */
function defaultFont({ name }: PageElement, parentFont: Font): Font {
  if (FIELD_TAGS.has(name)) return { families: 'system-ui', weight: 400, isItalic: false };
  return {
    families: FIXED_WIDTH_TAGS.has(name) ? 'monospace' : parentFont.families,
    weight: BOLD_TAGS.has(name) ? 700 : parentFont.weight,
    isItalic: ITALIC_TAGS.has(name) || parentFont.isItalic,
  };
}

function variable(name: string, drawn: InheritedStyle): string | undefined {
  for (let each: InheritedStyle | null = drawn; each !== null; each = each.parentStyle) {
    const value = each.style.get(name)?.value;
    if (value !== undefined && value !== 'inherit') return value;
  }
  return undefined;
}
