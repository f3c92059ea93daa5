import type { Selector } from 'css-what';

/** The parts of a style sheet that determine requests. */
export interface Sheet {
  /** null for an embedded style sheet. */
  readonly url: string | null;
  /** Imported style sheets, in order; they precede its rules. */
  readonly imports: readonly ImportedSheet[];
  readonly rules: readonly StyleRule[];
  readonly faces: readonly FontFace[];
  /** Whether the style sheet exceeded a limit. */
  readonly isCut: boolean;
}

export interface ImportedSheet {
  /** Absolute if the style sheet has an address. */
  readonly url: string;
  readonly isForScreen: boolean;
}

export interface StyleRule {
  readonly selectors: readonly RuleSelector[];
  readonly declarations: readonly Declaration[];
  /** In a layer, which has lower precedence than unlayered rules. */
  readonly isLayered: boolean;
}

export interface RuleSelector {
  readonly parts: readonly Selector[];
  /** Pseudo-element of the element; null for the element itself. */
  readonly pseudo: 'before' | 'after' | null;
  /** Three digits in base 256. */
  readonly specificity: number;
}

export interface Declaration {
  readonly property: string;
  /** Value from {@link resolveAddresses}. */
  readonly value: string;
  readonly isImportant: boolean;
}

export interface FontFace {
  /** In lower case. */
  readonly family: string;
  /** null for an embedded font. */
  readonly url: string | null;
  /** Style sheet. */
  readonly by: string | null;
  readonly weight: readonly [number, number];
  readonly isItalic: boolean;
  /** Inclusive ranges of characters; null for all. */
  readonly range: readonly (readonly [number, number])[] | null;
}
