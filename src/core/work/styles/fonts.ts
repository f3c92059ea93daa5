import { splitList, parseString, unescapeCss, resolveAddresses } from './cssText.ts';
import type { FontFace } from './sheet.ts';

const MAX_CODE_POINT = 0x10_ff_ff;
const MAX_RANGES = 500;
const FONT_FORMAT_PATTERN = /format\(\s*["']?(?:woff2?|truetype|opentype|collection)(?:-variations)?["']?\s*\)/i;

/** Returns the font of an `@font-face` rule; null if it has no name or no supported source. */
export function findFontFace(descriptors: ReadonlyMap<string, string>, base: string, by: string | null = base): FontFace | null {
  const family = familyOf(descriptors.get('font-family') ?? '');
  const sources = resolveAddresses(descriptors.get('src') ?? '', base);
  if (family === '' || sources === null) return null;
  // It is unknown which local fonts exist, so they are assumed to be missing.
  const source = splitList(sources).find((each) => /^url\(/i.test(each) && (!/format\(/i.test(each) || FONT_FORMAT_PATTERN.test(each)));
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
function familyOf(written: string): string {
  const text = written.trim();
  return (/^["']/.test(text) ? parseString(text) : unescapeCss(text)).replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Returns the weight that a keyword or number means, or null. */
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

/** Font that a text is shown in. */
export interface Font {
  /** List of families as in the style sheet. */
  readonly families: string;
  readonly weight: number;
  readonly isItalic: boolean;
}

/** Families that every computer has or replaces. Names after one of these in a list are ignored. */
const SYSTEM_FONTS = new Set(
  'serif,sans-serif,monospace,cursive,fantasy,system-ui,ui-serif,ui-sans-serif,ui-monospace,ui-rounded,arial,helvetica,times,times new roman,courier,courier new'.split(
    ',',
  ),
);
const FONT_SIZE_PATTERN =
  /^(?:[+.\d]+[a-z%]|calc\(|clamp\(|min\(|max\(|(?:xx?-|xxx-)?(?:small|large)(?:\/|$)|(?:medium|smaller|larger)(?:\/|$))/i;

/** Parses the family, weight and style of a `font` shorthand. Returns null for system fonts. */
export function parseFont(shorthand: string): Font | null {
  const words = splitList(shorthand, ' ');
  const at = words.findIndex((word) => FONT_SIZE_PATTERN.test(word));
  if (at < 0) return null;
  const before = words.slice(0, at);
  const height = words[at + 1] === '/' ? 2 : words[at + 1]?.startsWith('/') === true || words[at]?.endsWith('/') === true ? 1 : 0;
  return {
    families: words.slice(at + 1 + height).join(' '),
    weight: before.map(weightOf).find((weight) => weight !== null) ?? 400,
    isItalic: before.some((word) => /^(italic|oblique)/i.test(word)),
  };
}

/** Maximum number of character ranges that are compared for all fonts and texts of a page. */
const MAX_RANGES_EXAMINED = 2_000_000;

/** Font faces by family; the last one defined is the first. */
export class FontFaces {
  private readonly byFamily = new Map<string, FontFace[]>();
  private rangesSeen = 0;

  constructor(faces: readonly FontFace[]) {
    for (const face of faces.toReversed()) {
      const known = this.byFamily.get(face.family);
      if (known === undefined) this.byFamily.set(face.family, [face]);
      else known.push(face);
    }
  }

  get isEmpty(): boolean {
    return this.byFamily.size === 0;
  }

  /**
   * Returns the font addresses to request for `letters`, which must be sorted, with the style sheets that define them. Uses families in
   * order, up to the first that every computer has.
   */
  findFontFiles(font: Font, letters: readonly number[]): { url: string; by: string | null }[] {
    let left = letters;
    const found: { url: string; by: string | null }[] = [];
    for (const written of splitList(font.families)) {
      const family = familyOf(written);
      for (const face of findNearestFaces(this.byFamily.get(family) ?? [], font)) {
        if (!this.coversAny(face, left)) continue;
        left = left.filter((letter) => !coversLetter(face, letter));
        if (face.url !== null) found.push({ url: face.url, by: face.by });
      }
      if (left.length === 0 || SYSTEM_FONTS.has(family)) break;
    }
    return found;
  }

  /** Returns whether a face has any of the `letters`, which must be sorted. */
  private coversAny({ range }: FontFace, letters: readonly number[]): boolean {
    if (range === null) return letters.length > 0;
    this.rangesSeen += range.length;
    return (
      this.rangesSeen <= MAX_RANGES_EXAMINED && range.some(([from, to]) => (letters[findFirstAtLeast(letters, from)] ?? Infinity) <= to)
    );
  }
}

function findFirstAtLeast(letters: readonly number[], minLetter: number): number {
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((letters[middle] ?? 0) < minLetter) low = middle + 1;
    else high = middle;
  }
  return low;
}

function coversLetter({ range }: FontFace, letter: number): boolean {
  return range === null || range.some(([from, to]) => letter >= from && letter <= to);
}

/** Returns the faces with the nearest style and weight (CSS Fonts, “Matching font styles”). */
function findNearestFaces(faces: readonly FontFace[], { weight, isItalic }: Font): readonly FontFace[] {
  const styled = faces.filter((face) => face.isItalic === isItalic);
  const ofStyle = styled.length > 0 ? styled : faces;
  const minDistance = Math.min(...ofStyle.map((face) => weightDistance(face, weight)));
  return ofStyle.filter((face) => weightDistance(face, weight) === minDistance);
}

const OTHER_SIDE_DISTANCE = 10_000;

/**
 * Returns the distance between weights. For 400 to 500, weights up to 500 are nearest, then lighter, then bolder ones. Below 400, lighter
 * weights are nearer; above 500, bolder weights are.
 */
function weightDistance({ weight: [from, to] }: FontFace, wanted: number): number {
  if (wanted >= from && wanted <= to) return 0;
  const isBolder = from > wanted;
  const distance = isBolder ? from - wanted : wanted - to;
  const isUsual = wanted >= 400 && wanted <= 500;
  if (isUsual) return isBolder && from <= 500 ? distance : isBolder ? 2 * OTHER_SIDE_DISTANCE + distance : OTHER_SIDE_DISTANCE + distance;
  return isBolder === wanted > 500 ? distance : OTHER_SIDE_DISTANCE + distance;
}
