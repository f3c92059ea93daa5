import { AttributeAction, type Selector, SelectorType } from 'css-what';
import { readDeclarations } from './declarations.ts';
import type { PageElement } from './elements.ts';
import { Matcher } from './selectors.ts';
import type { Declaration, RuleSelector, Sheet } from './sheet.ts';

export interface WinningValue {
  readonly value: string;
  readonly rank: number;
  /** Address of the style sheet that contains the declaration; null for the page itself. */
  readonly by: string | null;
}
/** Winning value of each property for an element or a pseudo-element. */
export type Style = Map<string, WinningValue>;
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

const MAX_ORDER = 2 ** 20;
/** Priority of the `style` attribute, which is higher than that of any selector. */
const INLINE_PRIORITY = 2 ** 24;
const UNLAYERED_PRIORITY = 2 ** 46;
const IMPORTANT_PRIORITY = 2 ** 47;

const FONT_PROPERTIES = ['font-family', 'font-weight', 'font-style'] as const;
/** Prefix of values that come from a `font` shorthand. */
export const SHORTHAND = 'font:';

/** Matches rules to elements. An index by id, class or name keeps the number of rules to check per element small. */
export class Cascade {
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
