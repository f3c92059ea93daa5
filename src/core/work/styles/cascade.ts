import { AttributeAction, type Selector, SelectorType } from 'css-what';
import { readDeclarations } from './declarations.ts';
import type { PageElement } from './elements.ts';
import { Matcher } from './matcher.ts';
import type { Declaration, RuleSelector, Sheet } from './sheet.ts';

export interface Won {
  readonly value: string;
  readonly rank: number;
  /** Address of the sheet that says so; null for the page. */
  readonly by: string | null;
}
/** What the sheets say of one element, or of what is drawn before or after it: of each property what counts. */
export type Style = Map<string, Won>;
export interface ElementStyles {
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

const MOST_ORDER = 2 ** 20;
/** What stands in the attribute `style` is above any selector. */
const INLINE = 2 ** 24;
const UNLAYERED = 2 ** 46;
const IMPORTANT = 2 ** 47;

const FONT_PROPERTIES = ['font-family', 'font-weight', 'font-style'] as const;
/** Before what a `font` says of several properties. */
export const SHORTHAND = 'font:';

/** Rules by an id, a class or a name that their element has, so that few are looked at for each. */
export class Cascade {
  private readonly matcher = new Matcher();
  private readonly byKey = new Map<string, Entry[]>();
  private readonly base: string;

  constructor(sheets: readonly Sheet[], base: string) {
    this.base = base;
    let order = 0;
    for (const { rules, url } of sheets)
      for (const { selectors, declarations, isLayered } of rules) {
        order = Math.min(order + 1, MOST_ORDER - 1);
        for (const selector of selectors) this.enter(keyOf(selector.parts), { selector, declarations, isLayered, order, by: url });
      }
  }

  /** There was more to match than is. */
  get isCut(): boolean {
    return this.matcher.isSpent;
  }

  stylesOf(element: PageElement): ElementStyles {
    const styles = { own: new Map<string, Won>(), before: new Map<string, Won>(), after: new Map<string, Won>() };
    // Nothing counts where not everything does.
    if (this.matcher.isSpent) return styles;
    for (const key of keysOf(element))
      for (const { selector, declarations, isLayered, order, by } of this.byKey.get(key) ?? []) {
        if (!this.matcher.matches(selector.parts, element)) continue;
        this.matcher.spend(declarations.length);
        const rank = selector.specificity * MOST_ORDER + order + (isLayered ? 0 : UNLAYERED);
        for (const declaration of declarations) take(styles[selector.pseudo ?? 'own'], declaration, { rank, by });
      }
    const inline = element.attributes.get('style');
    if (inline !== undefined)
      for (const declaration of readDeclarations(inline, this.base))
        take(styles.own, declaration, { rank: INLINE * MOST_ORDER + UNLAYERED, by: null });
    return styles;
  }

  private enter(key: string, entry: Entry): void {
    const known = this.byKey.get(key);
    if (known === undefined) this.byKey.set(key, [entry]);
    else known.push(entry);
  }
}

function take(style: Style, { property, value, isImportant }: Declaration, from: Omit<Won, 'value'>): void {
  const rank = from.rank + (isImportant ? IMPORTANT : 0);
  // What it says of each can be seen when its variables are known.
  const [properties, said] = property === 'font' ? [FONT_PROPERTIES, `${SHORTHAND}${value}`] : [[property], value];
  for (const each of properties) {
    const known = style.get(each);
    if (known === undefined || rank >= known.rank) style.set(each, { value: said, rank, by: from.by });
  }
}

const COMBINATORS: ReadonlySet<SelectorType> = new Set([
  SelectorType.Descendant,
  SelectorType.Child,
  SelectorType.Adjacent,
  SelectorType.Sibling,
]);

/** Of what the rightmost element must have, what fewest elements have. */
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

function keysOf({ name, classes, attributes }: PageElement): string[] {
  const id = attributes.get('id');
  return ['*', name, ...new Set(classes.map((each) => `.${each}`)), ...(id === undefined ? [] : [`#${id}`])];
}
