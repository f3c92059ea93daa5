import { isForScreen } from '#core/work/pages/chosenImage.ts';
import { toAbsolute } from '#core/work/pages/pageLinks.ts';
import { parseUrl, depthAfter, endOfToken, isComment, parseString } from './cssText.ts';
import { parseDeclaration } from './declarations.ts';
import { findFontFace } from './fonts.ts';
import { MAX_SELECTOR_LENGTH, parseSelectors } from './selectors.ts';
import type { Declaration, FontFace, ImportedSheet, Sheet, StyleRule } from './sheet.ts';

/** Maximum number of characters read from a style sheet. */
export const MAX_SHEET_CHARACTERS = 1_048_576;
/** Maximum number of rules, fonts and imports. Even the largest real style sheets have fewer rules with images or fonts. */
const MAX_RULES = 10_000;
const MAX_SELECTORS = 20_000;
const MAX_FACES = 500;
const MAX_IMPORTS = 50;
/** Maximum nesting of blocks. */
const MAX_DEPTH = 64;

/** The block that contains a declaration. */
interface Block {
  /** Selector of the enclosing rule; null outside rules. */
  readonly selector: string | null;
  readonly face: Map<string, string> | null;
  readonly isLayered: boolean;
  readonly rule: { readonly selector: string; readonly declarations: Declaration[]; readonly isLayered: boolean } | null;
}

/**
 * Parses a style sheet from `url`: its imports, its fonts, and rules that may contain an image or a font. Builds no tree and does not
 * recurse, so any input takes linear time.
 */
export function readSheet(css: string, url: string): Sheet {
  const reader = new SheetReader(url);
  reader.read(css.slice(0, MAX_SHEET_CHARACTERS), false);
  return reader.sheet(css.length > MAX_SHEET_CHARACTERS);
}

/** Returns only the imports of a style sheet, as written. They come before all rules. */
export function parseImports(css: string): readonly ImportedSheet[] {
  const reader = new SheetReader(null);
  reader.read(css.slice(0, MAX_SHEET_CHARACTERS), true);
  return reader.imports;
}

const TOKEN_PATTERN = /[/"'\\;{}()[\]]|url\(/gi;

/** Returns the position of the next token that is more than ordinary text, or the end. */
function findNextToken(css: string, from: number): number {
  TOKEN_PATTERN.lastIndex = from;
  return TOKEN_PATTERN.exec(css)?.index ?? css.length;
}

class SheetReader {
  readonly imports: ImportedSheet[] = [];
  private readonly url: string | null;
  private readonly rules: NonNullable<Block['rule']>[] = [];
  private readonly faces: FontFace[] = [];
  private readonly blocks: Block[] = [];
  /** Number of open blocks within the ignored block; 0 outside of one. */
  private skipped = 0;
  private isPastImports = false;
  private isCut = false;

  constructor(url: string | null) {
    this.url = url;
  }

  read(css: string, importsOnly: boolean): void {
    let pieces: string[] = [];
    let from = css.startsWith('\uFEFF') ? 1 : 0;
    let depth = 0;
    for (let at = findNextToken(css, from); at < css.length;) {
      if (importsOnly && this.isPastImports) return;
      const end = endOfToken(css, at);
      const token = end === at + 1 ? css[at] : '';
      const ends = depth === 0 && (token === ';' || token === '{' || token === '}');
      if (ends || isComment(css, at)) {
        if (this.skipped === 0) pieces.push(css.slice(from, at));
        from = end;
      }
      if (ends) {
        const text = pieces.join(' ').trim();
        pieces = [];
        if (token === '{') this.open(text);
        else this.statement(text);
        if (token === '}') this.close();
      }
      depth = depthAfter(css.slice(at, end), depth);
      at = findNextToken(css, end);
    }
    if (this.skipped === 0) pieces.push(css.slice(from));
    this.statement(pieces.join(' ').trim());
    while (this.blocks.length > 0) this.close();
  }

  sheet(isCut: boolean): Sheet {
    let selectorCount = 0;
    const rules: StyleRule[] = [];
    for (const { selector, declarations, isLayered } of this.rules) {
      if (declarations.length === 0 || selectorCount > MAX_SELECTORS) continue;
      const selectors = parseSelectors(selector);
      selectorCount += selectors.length;
      if (selectors.length > 0 && selectorCount <= MAX_SELECTORS) rules.push({ selectors, declarations, isLayered });
    }
    const { url, imports, faces } = this;
    return { url, imports, rules, faces, isCut: isCut || this.isCut || selectorCount > MAX_SELECTORS };
  }

  private open(prelude: string): void {
    if (this.skipped > 0) {
      this.skipped += 1;
      return;
    }
    this.isPastImports = true;
    const isTooDeep = this.blocks.length >= MAX_DEPTH;
    const block = isTooDeep ? null : prelude.startsWith('@') ? this.makeGroup(prelude) : this.ruleOf(prelude);
    if (block === null) this.skipped = 1;
    else this.blocks.push(block);
  }

  private close(): void {
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    const face = this.blocks.pop()?.face ?? null;
    if (face === null || this.url === null) return;
    if (this.faces.length >= MAX_FACES) {
      this.isCut = true;
      return;
    }
    const found = findFontFace(face, this.url);
    if (found !== null) this.faces.push(found);
  }

  /**
   * Returns the group that a prelude opens; null if the block is ignored: one for another medium, or an at-rule without images and fonts.
   */
  private makeGroup(prelude: string): Block | null {
    const [, name = '', condition = ''] = /^@([\w-]+)\s*([^]*)$/.exec(prelude) ?? [];
    const outerBlock = this.blocks.at(-1);
    const isLayered = outerBlock?.isLayered ?? false;
    const group = (layered: boolean): Block | null => this.findBlock(outerBlock?.selector ?? null, layered);
    switch (name.toLowerCase()) {
      case 'media':
        return isForScreen(condition) ? group(isLayered) : null;
      case 'supports':
        return isSupported(condition) ? group(isLayered) : null;
      case 'container':
        return group(isLayered);
      case 'layer':
        return group(true);
      case 'font-face':
        return { selector: null, face: new Map(), isLayered, rule: null };
      default:
        return null;
    }
  }

  /** Returns the rule that a prelude opens, with the combined selectors of nested rules (CSS Nesting). */
  private ruleOf(prelude: string): Block | null {
    const outerBlock = this.blocks.at(-1);
    // Braces in a declaration are part of its value.
    if (prelude === '' || prelude.startsWith('--') || (outerBlock?.face ?? null) !== null) return null;
    const outer = outerBlock?.selector ?? null;
    const nested = outer === null ? null : `:is(${outer})`;
    const selector = nested === null ? prelude : prelude.includes('&') ? prelude.replaceAll('&', () => nested) : `${nested} ${prelude}`;
    if (selector.length > MAX_SELECTOR_LENGTH) return null;
    return this.findBlock(selector, outerBlock?.isLayered ?? false);
  }

  private findBlock(selector: string | null, isLayered: boolean): Block | null {
    if (selector === null) return { selector, face: null, isLayered, rule: null };
    if (this.rules.length >= MAX_RULES && this.rules.at(-1)?.declarations.length !== 0) {
      this.isCut = true;
      return null;
    }
    const rule = { selector, declarations: [], isLayered };
    this.keep(rule);
    return { selector, face: null, isLayered, rule };
  }

  /** Adds a rule, in place of the last one if that has no relevant declarations. */
  private keep(rule: NonNullable<Block['rule']>): void {
    const last = this.rules.at(-1);
    const isOpen = this.blocks.some((block) => block.rule === last);
    if (last !== undefined && !isOpen && last.declarations.length === 0) this.rules[this.rules.length - 1] = rule;
    else this.rules.push(rule);
  }

  private statement(text: string): void {
    if (this.skipped > 0 || text === '') return;
    const outerBlock = this.blocks.at(-1);
    if (outerBlock === undefined) {
      if (/^@import\b/i.test(text) && !this.isPastImports) this.takeImport(text.slice('@import'.length).trim());
      else if (!/^@(charset|layer)\b/i.test(text)) this.isPastImports = true;
    } else if (outerBlock.face !== null) {
      const at = text.indexOf(':');
      if (at > 0 && outerBlock.face.size < 20) outerBlock.face.set(text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim());
    } else if (outerBlock.rule !== null && this.url !== null) {
      const declaration = parseDeclaration(text, this.url);
      if (declaration !== null) outerBlock.rule.declarations.push(declaration);
    }
  }

  private takeImport(text: string): void {
    if (this.imports.length >= MAX_IMPORTS) {
      this.isCut = true;
      return;
    }
    const end = endOfToken(text, 0);
    const isFunction = /^url\(/i.test(text);
    const isQuoted = isFunction && /["']/.test(text[end] ?? '');
    const close = isQuoted ? endOfToken(text, end) : end;
    const written = isQuoted || !isFunction ? parseString(text.slice(isQuoted ? end : 0, close)) : parseUrl(text.slice(0, end));
    const url = this.url === null ? written : toAbsolute(written, this.url);
    if (url === null || written === '' || !(isFunction || /^["']/.test(text))) return;
    const rest = text.slice(close).replace(/^\s*\)/, '');
    const supports = /\bsupports\(((?:[^()]|\([^()]*\))*)\)/i.exec(rest);
    if (supports !== null && !isSupported(supports[1] ?? '')) return;
    const media = rest.replace(/\blayer\s*(\([^()]*\))?/i, '').replace(supports?.[0] ?? '', '');
    this.imports.push({ url, isForScreen: isForScreen(media) });
  }
}

/** Returns whether an `@supports` condition is true: current browsers support everything except vendor-prefixed features. */
function isSupported(condition: string): boolean {
  return !/^\s*not\b|-(?:moz|ms|o)-/i.test(condition);
}
