import { listed, stringIn, unescaped, withAddresses } from './cssText.ts';
import type { FontFace } from './sheet.ts';

const MAX_CODE_POINT = 0x10_ff_ff;
const MAX_RANGES = 500;
const FORMATS = /format\(\s*["']?(?:woff2?|truetype|opentype|collection)(?:-variations)?["']?\s*\)/i;

/** Returns the font of an `@font-face` rule; null without a name or a supported source. */
export function fontFaceOf(descriptors: ReadonlyMap<string, string>, base: string, by: string | null = base): FontFace | null {
  const family = familyOf(descriptors.get('font-family') ?? '');
  const sources = withAddresses(descriptors.get('src') ?? '', base);
  if (family === '' || sources === null) return null;
  // Local fonts are unknown and assumed to be missing.
  const source = listed(sources).find((each) => /^url\(/i.test(each) && (!/format\(/i.test(each) || FORMATS.test(each)));
  if (source === undefined) return null;
  return {
    family,
    url: /^url\("(https?:[^"]*)"\)/.exec(source)?.[1] ?? null,
    by,
    weight: weightRange(descriptors.get('font-weight') ?? ''),
    isItalic: /^\s*(italic|oblique)/i.test(descriptors.get('font-style') ?? ''),
    range: rangeOf(descriptors.get('unicode-range')),
  };
}

/** Normalizes a family name for comparison. */
export function familyOf(written: string): string {
  const text = written.trim();
  return (/^["']/.test(text) ? stringIn(text) : unescaped(text)).replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Returns the numeric weight of a keyword or number, or null. */
export function weightOf(word: string): number | null {
  if (/^(bold|bolder)$/i.test(word)) return 700;
  if (/^(normal|lighter)$/i.test(word)) return 400;
  return /^\d{1,4}$/.test(word) ? Number(word) : null;
}

function weightRange(written: string): readonly [number, number] {
  const [first, second] = written.trim().split(/\s+/).map(weightOf);
  return [first ?? 400, second ?? first ?? 400];
}

function rangeOf(written: string | undefined): FontFace['range'] {
  if (written === undefined) return null;
  const ranges = written.split(',', MAX_RANGES).flatMap((each): [number, number][] => {
    const [, first = '', second] = /^\s*u\+([\da-f?]{1,6})(?:-([\da-f]{1,6}))?\s*$/i.exec(each) ?? [];
    if (first === '') return [];
    return [[Number.parseInt(first.replaceAll('?', '0'), 16), Number.parseInt(second ?? first.replaceAll('?', 'f'), 16)]];
  });
  return ranges.length === 0 ? [[0, MAX_CODE_POINT]] : ranges;
}
