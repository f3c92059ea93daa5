import type { Urgency } from './pageLinks.ts';

const MAX_CANDIDATES = 200;

/**
 * Width of the assumed screen in CSS pixels. The screen is assumed so that results are reproducible: landscape, one device pixel per CSS
 * pixel.
 */
const SCREEN_WIDTH = 1_280;
const PIXELS_PER_EM = 16;

const LENGTH_PATTERN = /^(\d{1,6}(?:\.\d{1,6})?)(px|em|rem|vw)$/;

/** Returns a length as a number of pixels, or null if it needs a calculation. */
function findPixels(length: string): number | null {
  const [, number, unit] = LENGTH_PATTERN.exec(length) ?? [];
  if (number === undefined) return null;
  if (unit === 'vw') return (Number(number) / 100) * SCREEN_WIDTH;
  return Number(number) * (unit === 'px' ? 1 : PIXELS_PER_EM);
}

/** Returns whether a media query matches the assumed screen; false if it is not understood. */
export function isForScreen(media: string | undefined): boolean {
  const text = (media ?? '').trim().toLowerCase();
  return text === '' || text.split(',').some((query) => query.split(/\sand\s/).every((feature) => holds(feature.trim())));
}

function holds(feature: string): boolean {
  if (/^(only\s+)?(all|screen)$|^not\s+print$/.test(feature)) return true;
  const [, compared, limit = ''] = /^\(\s*width\s*([<>])=?\s*([^\s)]+)\s*\)$/.exec(feature) ?? [];
  if (compared !== undefined)
    return compared === '<' ? (findPixels(limit) ?? 0) >= SCREEN_WIDTH : (findPixels(limit) ?? Infinity) <= SCREEN_WIDTH;
  const [, name, value = ''] = /^\(\s*([a-z-]+)\s*:\s*([^\s)]+)\s*\)$/.exec(feature) ?? [];
  switch (name) {
    case 'min-width':
      return (findPixels(value) ?? Infinity) <= SCREEN_WIDTH;
    case 'max-width':
      return (findPixels(value) ?? 0) >= SCREEN_WIDTH;
    case 'orientation':
      return value === 'landscape';
    case 'prefers-color-scheme':
      return value === 'light';
    case 'prefers-reduced-motion':
      return value === 'no-preference';
    case 'hover':
    case 'any-hover':
      return value === 'hover';
    case 'pointer':
    case 'any-pointer':
      return value === 'fine';
    default:
      return false;
  }
}

/** Returns the width from `sizes`: the first one with a matching condition, else the width of the screen. */
function parseShownWidth(sizes: string | undefined): number {
  for (const size of (sizes ?? '').toLowerCase().split(',', MAX_CANDIDATES)) {
    const text = size.trim();
    // A regular expression for the last word would need quadratic time.
    const at = Math.max(...[' ', '\n', '\t'].map((blank) => text.lastIndexOf(blank)));
    const pixels = findPixels(text.slice(at + 1));
    if (pixels !== null && isForScreen(text.slice(0, Math.max(0, at)))) return pixels;
  }
  return SCREEN_WIDTH;
}

interface Candidate {
  readonly url: string;
  /** Width of the image in pixels; null if its density is given instead. */
  readonly width: number | null;
  readonly density: number;
}

/**
 * Returns the image that a browser selects from `srcset` and `src` on a screen of 1,280 pixels. By width, this is the smallest image that
 * fills `sizes`, else the largest; by density, the image with the density nearest to 1. Returns null if there is no image.
 */
export function chosenImage(src: string | undefined, srcset: string | undefined, sizes?: string): string | null {
  const candidates = srcset === undefined ? [] : parseCandidates(srcset);
  const wide = candidates.filter((candidate) => candidate.width !== null);
  if (wide.length > 0) return chooseFitting(wide, parseShownWidth(sizes));
  if (src !== undefined && src.trim() !== '' && !candidates.some(({ density }) => density === 1))
    candidates.push({ url: src, width: null, density: 1 });
  const [nearest] = candidates.toSorted((one, other) => Math.abs(one.density - 1) - Math.abs(other.density - 1));
  return nearest?.url ?? null;
}

function chooseFitting(candidates: readonly Candidate[], shown: number): string | null {
  const byWidth = candidates.toSorted((one, other) => (one.width ?? 0) - (other.width ?? 0));
  return (byWidth.find(({ width }) => (width ?? 0) >= shown) ?? byWidth.at(-1))?.url ?? null;
}

/** Parses `srcset`. Addresses may contain commas except at their ends, and end at a blank (HTML, “parsing a srcset attribute”). */
function parseCandidates(srcset: string): Candidate[] {
  const found: Candidate[] = [];
  const pattern = /[\s,]*([^\s,]\S*)(?:\s+([^,]*))?,?/y;
  for (let match = pattern.exec(srcset); match !== null && found.length < MAX_CANDIDATES; match = pattern.exec(srcset)) {
    const [, written = '', descriptor = ''] = match;
    const url = written.slice(0, endWithoutCommas(written));
    if (url !== written) pattern.lastIndex -= match[0].length - match[0].indexOf(written) - written.length;
    found.push({ url, ...parseDescriptor(url === written ? descriptor : '') });
  }
  return found;
}

/** Returns the length of an address without its trailing commas. A regular expression would need quadratic time. */
function endWithoutCommas(text: string): number {
  let end = text.length;
  while (text[end - 1] === ',') end -= 1;
  return end;
}

function parseDescriptor(text: string): Pick<Candidate, 'width' | 'density'> {
  const [, number = '', unit] = /(?:^|\s)(\d+(?:\.\d+)?)([wx])(?:\s|$)/.exec(text) ?? [];
  if (unit === 'w') return { width: Number(number), density: 1 };
  return { width: null, density: unit === 'x' ? Number(number) : 1 };
}

/** Image types that Chromium shows. */
const SUPPORTED_TYPE_PATTERN = /^image\/(avif|webp|png|apng|jpe?g|gif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/i;
/** Number of large images that Chromium requests before the others. */
const MAX_FIRST_IMAGES = 5;
const SMALL_IMAGE_PIXELS = 10_000;

/** Selects the image for each place on a page, and its urgency. Must receive the tags in page order. */
export class PagePictures {
  /** Number of images that are not lazy. */
  count = 0;
  private first = 0;
  private isOpen = false;
  /** Image selected by a `source` of the open `picture`; undefined if none was selected. */
  private ofSources: string | undefined;

  begin(): void {
    this.isOpen = true;
    this.ofSources = undefined;
  }

  end(): void {
    this.isOpen = false;
  }

  takeSource(attributes: ReadonlyMap<string, string>): void {
    if (!this.isOpen || this.ofSources !== undefined) return;
    const type = attributes.get('type')?.trim() ?? '';
    if (!isForScreen(attributes.get('media')) || !(type === '' || SUPPORTED_TYPE_PATTERN.test(type))) return;
    this.ofSources = chosenImage(undefined, attributes.get('srcset'), attributes.get('sizes')) ?? undefined;
  }

  chosen(attributes: ReadonlyMap<string, string>): string | undefined {
    const chooseOwnImage = (): string | undefined =>
      chosenImage(attributes.get('src'), attributes.get('srcset'), attributes.get('sizes')) ?? undefined;
    return (this.isOpen ? this.ofSources : undefined) ?? chooseOwnImage();
  }

  urgencyOf(attributes: ReadonlyMap<string, string>): Urgency {
    if (attributes.get('loading')?.trim().toLowerCase() === 'lazy') return 'afterwards';
    this.count += 1;
    const pixels = Number.parseInt(attributes.get('width') ?? '', 10) * Number.parseInt(attributes.get('height') ?? '', 10);
    if (pixels < SMALL_IMAGE_PIXELS || this.first >= MAX_FIRST_IMAGES) return 'low';
    this.first += 1;
    return 'usual';
  }
}
