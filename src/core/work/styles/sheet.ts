import type { Selector } from 'css-what';

/** What of a style sheet decides what is asked for. */
export interface Sheet {
  /** null of one that stands in the page. */
  readonly url: string | null;
  /** Sheets that come before it, in order. */
  readonly imports: readonly ImportedSheet[];
  readonly rules: readonly StyleRule[];
  readonly faces: readonly FontFace[];
  /** There was more than is read of a sheet. */
  readonly isCut: boolean;
}

export interface ImportedSheet {
  /** Absolute, where the sheet has an address. */
  readonly url: string;
  readonly isForScreen: boolean;
}

export interface StyleRule {
  readonly selectors: readonly RuleSelector[];
  readonly declarations: readonly Declaration[];
  /** In a layer: counts less than whatever is in none. */
  readonly isLayered: boolean;
}

export interface RuleSelector {
  readonly parts: readonly Selector[];
  /** What is drawn before or after the element, and not the element itself. */
  readonly pseudo: 'before' | 'after' | null;
  /** Three digits to the base of 256. */
  readonly specificity: number;
}

export interface Declaration {
  readonly property: string;
  /** As {@link withAddresses} writes them. */
  readonly value: string;
  readonly isImportant: boolean;
}

export interface FontFace {
  /** In lower case. */
  readonly family: string;
  /** null where the sheet holds the font itself. */
  readonly url: string | null;
  /** The sheet. */
  readonly by: string | null;
  readonly weight: readonly [number, number];
  readonly isItalic: boolean;
  /** From and to, each included; null for all letters. */
  readonly range: readonly (readonly [number, number])[] | null;
}
