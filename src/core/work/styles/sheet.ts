import type { Selector } from 'css-what';

/** The parts of a style sheet that determine requests. */
export interface Sheet {
  /** Address of the style sheet; null if it is embedded in a page. */
  readonly url: string | null;
  /** Imported style sheets, in order. They precede the rules of the style sheet itself. */
  readonly imports: readonly ImportedSheet[];
  readonly rules: readonly StyleRule[];
  readonly faces: readonly FontFace[];
  /** Whether the style sheet exceeded a limit. */
  readonly isCut: boolean;
}

export interface ImportedSheet {
  /** Address, which is absolute if the style sheet itself has an address. */
  readonly url: string;
  readonly isForScreen: boolean;
}

export interface StyleRule {
  readonly selectors: readonly RuleSelector[];
  readonly declarations: readonly Declaration[];
  /** Whether the rule is in a layer. Rules in layers have lower precedence than rules outside of layers. */
  readonly isLayered: boolean;
}

export interface RuleSelector {
  readonly parts: readonly Selector[];
  /** Pseudo-element of the element; null for the element itself. */
  readonly pseudo: 'before' | 'after' | null;
  /** Numbers of ids, classes and names, as three digits in base 256. */
  readonly specificity: number;
}

export interface Declaration {
  readonly property: string;
  /** Value from `resolveAddresses`. */
  readonly value: string;
  readonly isImportant: boolean;
}

export interface FontFace {
  /** Family name in lower case. */
  readonly family: string;
  /** Address of the font file; null for an embedded font. */
  readonly url: string | null;
  /** Address of the style sheet that defines the font; null for the page itself. */
  readonly by: string | null;
  readonly weight: readonly [number, number];
  readonly isItalic: boolean;
  /** Inclusive ranges of the characters of the font; null if it has all. */
  readonly range: readonly (readonly [number, number])[] | null;
}
