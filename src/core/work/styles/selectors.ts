import { AttributeAction, type AttributeSelector, parse, type PseudoSelector, type Selector, SelectorType } from 'css-what';
import type { RuleSelector } from './sheet.ts';
import type { PageElement } from './elements.ts';

/** Maximum length of a selector, because the cost of each part grows with the length of the rest. */
export const MAX_SELECTOR_LENGTH = 2_000;

/** Parses the selectors of a rule. Returns none if a browser would ignore the rule. */
export function parseSelectors(text: string): RuleSelector[] {
  if (text.length > MAX_SELECTOR_LENGTH) return [];
  try {
    return parse(text).flatMap(buildSelectors);
  } catch {
    // The parser also throws an error if the nesting is too deep.
    return [];
  }
}

/** Returns the selectors, without those for other pseudo-elements such as parts of text or scroll bars. */
function buildSelectors(parts: Selector[]): RuleSelector[] {
  if (parts.some(({ type }) => type === SelectorType.ColumnCombinator || type === SelectorType.Parent)) return [];
  const elements = parts.filter((part) => part.type === SelectorType.PseudoElement);
  const [element] = elements;
  if (element === undefined) return [{ parts, pseudo: null, specificity: specificityOf(parts) }];
  const pseudo = element.name;
  if (elements.length > 1 || parts.at(-1) !== element || (pseudo !== 'before' && pseudo !== 'after')) return [];
  return [{ parts: parts.slice(0, -1), pseudo, specificity: specificityOf(parts) }];
}

const MAX_COUNT = 255;

/** Returns the specificity: the numbers of ids, classes and names, each up to 255 (Selectors, “Calculating specificity”). */
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

/** Maximum number of steps for all selectors and elements of a page. Usual pages need a tenth of it. */
const MAX_STEPS = 1_000_000;

/** Matches selectors to elements. After the maximum number of steps, nothing matches. */
export class Matcher {
  private steps = 0;

  get isSpent(): boolean {
    return this.steps >= MAX_STEPS;
  }

  /** Adds steps for the work that follows a match. */
  spend(steps: number): void {
    this.steps += steps;
  }

  matches(parts: readonly Selector[], element: PageElement): boolean {
    return this.matchesUpTo(parts, parts.length - 1, element);
  }

  /** Returns whether the parts up to `last` match if `element` is the rightmost. */
  private matchesUpTo(parts: readonly Selector[], last: number, element: PageElement): boolean {
    for (let at = last; at >= 0; at -= 1) {
      this.steps += 1;
      const part = parts[at];
      if (part === undefined || this.isSpent) return false;
      switch (part.type) {
        case SelectorType.Descendant:
          return this.isAny(parts, at - 1, element, 'parent');
        case SelectorType.Sibling:
          return this.isAny(parts, at - 1, element, 'previous');
        case SelectorType.Child:
          return element.parent !== null && this.matchesUpTo(parts, at - 1, element.parent);
        case SelectorType.Adjacent:
          return element.previous !== null && this.matchesUpTo(parts, at - 1, element.previous);
        default:
          if (!this.isSuch(part, element)) return false;
      }
    }
    return true;
  }

  private isAny(parts: readonly Selector[], last: number, element: PageElement, way: 'parent' | 'previous'): boolean {
    for (let other = element[way]; other !== null && !this.isSpent; other = other[way])
      if (this.matchesUpTo(parts, last, other)) return true;
    return false;
  }

  private isSuch(part: Selector, element: PageElement): boolean {
    switch (part.type) {
      case SelectorType.Universal:
        return true;
      case SelectorType.Tag:
        return part.name === element.name;
      case SelectorType.Attribute:
        return hasAttribute(part, element);
      case SelectorType.Pseudo:
        return this.isOfKind(part, element);
      default:
        return false;
    }
  }

  /** Returns whether an element has a pseudo-class. Returns false for states that depend on user actions or on later content. */
  private isOfKind({ name, data }: PseudoSelector, element: PageElement): boolean {
    if (Array.isArray(data)) {
      if (name === 'not') return !data.some((parts) => this.matches(parts, element));
      return ['is', 'where', 'matches'].includes(name) && data.some((parts) => this.matches(parts, element));
    }
    switch (name) {
      case 'root':
        return element.parent === null;
      case 'any-link':
      case 'link':
        return (element.name === 'a' || element.name === 'area') && element.attributes.has('href');
      case 'first-child':
        return element.place === 1;
      case 'last-child':
        return element.place === (element.parent?.children ?? 1);
      case 'only-child':
        return (element.parent?.children ?? 1) === 1;
      case 'nth-child':
        return isNth(data, element.place);
      case 'nth-last-child':
        return isNth(data, (element.parent?.children ?? 1) - element.place + 1);
      case 'first-of-type':
        return this.placeOfType(element) === 1;
      case 'nth-of-type':
        return isNth(data, this.placeOfType(element));
      case 'empty':
        return element.children === 0 && !element.hasText;
      case 'checked':
        return element.attributes.has('checked') || element.attributes.has('selected');
      case 'disabled':
        return element.attributes.has('disabled');
      case 'enabled':
        return FIELD_TAGS.has(element.name) && !element.attributes.has('disabled');
      case 'required':
        return element.attributes.has('required');
      case 'defined':
        return !element.name.includes('-');
      default:
        return false;
    }
  }

  private placeOfType(element: PageElement): number {
    let place = 1;
    for (let other = element.previous; other !== null && !this.isSpent; other = other.previous) {
      this.steps += 1;
      if (other.name === element.name) place += 1;
    }
    return place;
  }
}

const FIELD_TAGS = new Set(['button', 'input', 'select', 'textarea', 'option', 'optgroup', 'fieldset']);

function hasAttribute({ name, action, value: wanted, ignoreCase }: AttributeSelector, element: PageElement): boolean {
  if (name === 'class' && action === AttributeAction.Element) return element.classes.includes(wanted);
  const written = element.attributes.get(name);
  if (action === AttributeAction.Not) return written !== wanted;
  if (written === undefined) return false;
  const [value, sought] = ignoreCase === true ? [written.toLowerCase(), wanted.toLowerCase()] : [written, wanted];
  switch (action) {
    case AttributeAction.Exists:
      return true;
    case AttributeAction.Equals:
      return value === sought;
    case AttributeAction.Start:
      return sought !== '' && value.startsWith(sought);
    case AttributeAction.End:
      return sought !== '' && value.endsWith(sought);
    case AttributeAction.Any:
      return sought !== '' && value.includes(sought);
    case AttributeAction.Hyphen:
      return value === sought || value.startsWith(`${sought}-`);
    case AttributeAction.Element:
      return sought !== '' && value.split(/\s+/).includes(sought);
    default:
      return false;
  }
}

/** Returns whether a position matches `an+b`, `odd`, `even` or a number. */
function isNth(written: string | null, place: number): boolean {
  const text = (written ?? '').trim().toLowerCase();
  if (text === 'odd' || text === 'even') return place % 2 === Number(text === 'odd');
  const [, step, sign = '+', offset = '0'] = /^([+-]?\d{0,6})n(?:\s*([+-])\s*(\d{1,6}))?$/.exec(text) ?? [];
  if (step === undefined) return Number(/^\+?(\d{1,6})$/.exec(text)?.[1] ?? -1) === place;
  const every = /\d/.test(step) ? Number(step) : step === '-' ? -1 : 1;
  const distance = place - Number(`${sign}${offset}`);
  return every === 0 ? distance === 0 : distance % every === 0 && distance / every >= 0;
}
