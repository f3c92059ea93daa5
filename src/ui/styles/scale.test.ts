import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ui = join(import.meta.dirname, '..');
const DISTANCES = /^(margin|padding|gap|row-gap|column-gap)(-[a-z-]+)?$/;
/** Allowed exceptions: the page uses the reader's own text size, and the size of code is relative to the text around it. */
const SIZES_OF_THEIR_OWN = new Set(['base.css: font-size: 100%', 'base.css: font-size: 0.9em']);

/** Returns the declarations whose distances or sizes are not from tokens.css. */
function findOffScale(name: string, css: string): string[] {
  const declarations = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([\w-]+)\s*:\s*([^;{}]+);/g);
  return [...declarations].flatMap(([, property = '', value = '']) => {
    const wanted = property === 'font-size' ? 'size' : DISTANCES.test(property) ? 'space' : null;
    if (wanted === null || /^\d+(pt|mm)( \d+(pt|mm))*$/.test(value)) return [];
    const isOnScale =
      /^(calc|clamp|max|min)\(/.test(value) && value.includes('var(--')
        ? value.includes(`var(--${wanted}-`) || value.includes('var(--size-')
        : splitValues(value).every(
            (part) => ['0', 'auto', 'inherit'].includes(part) || part.startsWith(`var(--${wanted}-`) || isComponentValue(part),
          );
    const declaration = `${name}: ${property}: ${value}`;
    return isOnScale || SIZES_OF_THEIR_OWN.has(declaration) ? [] : [declaration];
  });
}

/** Returns whether a value is a custom property of a component, or a sum that contains a token. */
function isComponentValue(part: string): boolean {
  return /^var\(--(table-edge|bottom-bar|card-edge|cell-space)/.test(part) || /^calc\(.*var\(--space-/.test(part);
}

/** Splits a shorthand into its values. An expression in brackets is one value. */
function splitValues(value: string): string[] {
  return value.match(/[^\s(]+\((?:[^()]|\([^()]*\))*\)|[^\s]+/g) ?? [];
}

it('style sheets take all text sizes and distances from tokens.css', () => {
  const files = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((name) => findOffScale(name.replace(/^.*\//, ''), readFileSync(join(ui, name), 'utf8')))).toEqual([]);
});

it('the check of style sheets finds values that are not in tokens.css', () => {
  const css = '.a { padding: 0 var(--space-8) 5px; gap: var(--space-4); font-size: 14px; margin: calc(1px + var(--space-4)) auto; }';
  expect(findOffScale('a.css', css)).toEqual(['a.css: padding: 0 var(--space-8) 5px', 'a.css: font-size: 14px']);
});
