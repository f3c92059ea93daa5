import { MAX_LINKS, type PageLink } from '#core/work/pages/pageLinks.ts';
import { splitList, parseString } from './cssText.ts';
import { PICTURE_PROPERTIES, listPictures, replaceVariables, readDeclarations } from './declarations.ts';
import type { PageElement, PageElements } from './elements.ts';
import { type Font, FontFaces, parseFont, weightOf } from './fonts.ts';
import type { Sheet, Declaration, RuleSelector } from './sheet.ts';
import { AttributeAction, type Selector, SelectorType } from 'css-what';
import { Matcher } from './selectors.ts';

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

/** Returns whether the parent of an element hides it: a closed `details`, or an element whose content is only a fallback. */
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

interface WinningValue {
  readonly value: string;
  readonly rank: number;
  /** Address of the style sheet that contains the declaration; null for the page itself. */
  readonly by: string | null;
}
/** Winning value of each property for an element or a pseudo-element. */
type Style = Map<string, WinningValue>;
interface ElementStyles {
  readonly own: Style;
  readonly before: Style;
  readonly after: Style;
}

interface Entry {
  readonly selector: RuleSelector;
  readonly declarations: readonly Declaration[];
  readonly isLayered: boolean;
  readonly order: number;
  readonly by: string | null;
}

const MAX_ORDER = 2 ** 20;
/** Priority of the `style` attribute, which is higher than that of any selector. */
const INLINE_PRIORITY = 2 ** 24;
const UNLAYERED_PRIORITY = 2 ** 46;
const IMPORTANT_PRIORITY = 2 ** 47;

const FONT_PROPERTIES = ['font-family', 'font-weight', 'font-style'] as const;
/** Prefix of values that come from a `font` shorthand. */
const SHORTHAND = 'font:';

/** Matches rules to elements. An index by id, class or name keeps the number of rules to check per element small. */
class Cascade {
  private readonly matcher = new Matcher();
  private readonly byKey = new Map<string, Entry[]>();
  private readonly base: string;

  constructor(sheets: readonly Sheet[], base: string) {
    this.base = base;
    let order = 0;
    for (const { rules, url } of sheets)
      for (const { selectors, declarations, isLayered } of rules) {
        order = Math.min(order + 1, MAX_ORDER - 1);
        for (const selector of selectors) this.enter(keyOf(selector.parts), { selector, declarations, isLayered, order, by: url });
      }
  }

  /** Whether matching stopped at its limit. */
  get isCut(): boolean {
    return this.matcher.isSpent;
  }

  computeStyles(element: PageElement): ElementStyles {
    const styles = {
      own: new Map<string, WinningValue>(),
      before: new Map<string, WinningValue>(),
      after: new Map<string, WinningValue>(),
    };
    // An incomplete result would be wrong, so the result is empty.
    if (this.matcher.isSpent) return styles;
    for (const key of listKeys(element))
      for (const { selector, declarations, isLayered, order, by } of this.byKey.get(key) ?? []) {
        if (!this.matcher.matches(selector.parts, element)) continue;
        this.matcher.spend(declarations.length);
        const rank = selector.specificity * MAX_ORDER + order + (isLayered ? 0 : UNLAYERED_PRIORITY);
        for (const declaration of declarations) take(styles[selector.pseudo ?? 'own'], declaration, { rank, by });
      }
    const inline = element.attributes.get('style');
    if (inline !== undefined)
      for (const declaration of readDeclarations(inline, this.base))
        take(styles.own, declaration, { rank: INLINE_PRIORITY * MAX_ORDER + UNLAYERED_PRIORITY, by: null });
    return styles;
  }

  private enter(key: string, entry: Entry): void {
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, [entry]);
    else known.push(entry);
  }
}

function take(style: Style, { property, value, isImportant }: Declaration, from: Omit<WinningValue, 'value'>): void {
  const rank = from.rank + (isImportant ? IMPORTANT_PRIORITY : 0);
  // The properties of a shorthand are known only after its variables are replaced.
  const [properties, writtenValue] = property === 'font' ? [FONT_PROPERTIES, `${SHORTHAND}${value}`] : [[property], value];
  for (const each of properties) {
    const known = style.get(each);
    if (known === undefined || rank >= known.rank) style.set(each, { value: writtenValue, rank, by: from.by });
  }
}

const COMBINATORS: ReadonlySet<SelectorType> = new Set([
  SelectorType.Descendant,
  SelectorType.Child,
  SelectorType.Adjacent,
  SelectorType.Sibling,
]);

/** Returns the rarest requirement for the rightmost element. */
function keyOf(parts: readonly Selector[]): string {
  let key = '*';
  for (const part of parts.toReversed()) {
    if (part.type === SelectorType.Attribute && part.name === 'id' && part.action === AttributeAction.Equals) return `#${part.value}`;
    if (part.type === SelectorType.Attribute && part.name === 'class' && part.action === AttributeAction.Element) key = `.${part.value}`;
    else if (part.type === SelectorType.Tag && !key.startsWith('.')) key = part.name;
    else if (COMBINATORS.has(part.type)) break;
  }
  return key;
}

function listKeys({ name, classes, attributes }: PageElement): string[] {
  const id = attributes.get('id');
  return ['*', name, ...new Set(classes.map((each) => `.${each}`)), ...(id === undefined ? [] : [`#${id}`])];
}
