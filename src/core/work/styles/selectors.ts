import { AttributeAction, parse, type Selector, SelectorType } from 'css-what';
import type { RuleSelector } from './sheet.ts';

/** Maximum length of a selector; the cost of a part grows with the length of the rest. */
export const MAX_SELECTOR_LENGTH = 2_000;

/** Parses the selectors of a rule; returns none if a browser would ignore the rule. */
export function selectorsOf(text: string): RuleSelector[] {
  if (text.length > MAX_SELECTOR_LENGTH) return [];
  try {
    return parse(text).flatMap(selectorOf);
  } catch {
    // The parser also throws for deep nesting.
    return [];
  }
}

/** Leaves out pseudo-elements such as parts of text or scroll bars. */
function selectorOf(parts: Selector[]): RuleSelector[] {
  if (parts.some(({ type }) => type === SelectorType.ColumnCombinator || type === SelectorType.Parent)) return [];
  const elements = parts.filter((part) => part.type === SelectorType.PseudoElement);
  const [element] = elements;
  if (element === undefined) return [{ parts, pseudo: null, specificity: specificityOf(parts) }];
  const pseudo = element.name;
  if (elements.length > 1 || parts.at(-1) !== element || (pseudo !== 'before' && pseudo !== 'after')) return [];
  return [{ parts: parts.slice(0, -1), pseudo, specificity: specificityOf(parts) }];
}

const MAX_COUNT = 255;

/** Returns the specificity: ids, then classes, then names, each up to 255 (Selectors, “Calculating specificity”). */
function specificityOf(parts: readonly Selector[]): number {
  let [ids, classes, names] = [0, 0, 0];
  for (const part of parts) {
    if (part.type === SelectorType.Tag || part.type === SelectorType.PseudoElement) names += 1;
    else if (part.type === SelectorType.Attribute && part.name === 'id' && part.action === AttributeAction.Equals) ids += 1;
    else if (part.type === SelectorType.Attribute) classes += 1;
    else if (part.type === SelectorType.Pseudo) {
      if (!Array.isArray(part.data)) classes += 1;
      else if (part.name !== 'where') {
        const inner = Math.max(0, ...part.data.map(specificityOf));
        ids += inner >> 16;
        classes += (inner >> 8) & MAX_COUNT;
        names += inner & MAX_COUNT;
      }
    }
  }
  return (Math.min(ids, MAX_COUNT) << 16) | (Math.min(classes, MAX_COUNT) << 8) | Math.min(names, MAX_COUNT);
}
