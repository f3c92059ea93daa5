import { findClosing, depthAfter, endOfToken, isComment, splitList, MAX_VALUE_LENGTH, unescapeCss, resolveAddresses } from './cssText.ts';
import type { Declaration } from './sheet.ts';

/** Properties whose values may contain images, mapped to the property that holds the image. */
const PICTURE_OF = new Map([
  ['background', 'background-image'],
  ['background-image', 'background-image'],
  ['border-image', 'border-image-source'],
  ['border-image-source', 'border-image-source'],
  ['-webkit-border-image', 'border-image-source'],
  ['content', 'content'],
  ['cursor', 'cursor'],
  ['list-style', 'list-style-image'],
  ['list-style-image', 'list-style-image'],
  ['mask', 'mask-image'],
  ['mask-image', 'mask-image'],
  ['-webkit-mask', 'mask-image'],
  ['-webkit-mask-image', 'mask-image'],
  ['-webkit-mask-box-image', 'mask-border'],
  ['-webkit-mask-box-image-source', 'mask-border'],
  ['shape-outside', 'shape-outside'],
]);

export const PICTURE_PROPERTIES: readonly string[] = [...new Set(PICTURE_OF.values())];

/** Properties that determine visibility and font. */
const OTHER_PROPERTIES: ReadonlySet<string> = new Set(['display', 'font', 'font-family', 'font-weight', 'font-style']);

/** Matches values that Chromium rejects, so that an earlier declaration stays valid. */
const UNKNOWN_VALUE_PATTERN = /\\[09](?![\da-f])|(?:^|[\s,(])-(?:moz|ms|o|khtml)-|expression\(|progid:/i;

/** Parses a declaration; returns null if its property is irrelevant. */
export function parseDeclaration(text: string, base: string): Declaration | null {
  const at = text.indexOf(':');
  const written = text.slice(0, Math.max(0, at)).trim();
  const isOwn = written.startsWith('--');
  const name = isOwn ? unescapeCss(written) : written.toLowerCase();
  const property = PICTURE_OF.get(name) ?? (isOwn || OTHER_PROPERTIES.has(name) ? name : null);
  if (property === null || name.length > 200) return null;
  const [, plain = '', important] = /^([^]*?)(!\s*important)?$/i.exec(text.slice(at + 1).trim()) ?? [];
  const value = resolveAddresses(plain.trim(), base);
  if (value === null || (value === '' && !isOwn)) return null;
  if (!isOwn && property !== 'content' && UNKNOWN_VALUE_PATTERN.test(value)) return null;
  return { property, value, isImportant: important !== undefined };
}

/** Parses the declarations of a `style` attribute. */
export function readDeclarations(css: string, base: string): Declaration[] {
  const found: Declaration[] = [];
  let text = '';
  let depth = 0;
  const end = (): void => {
    const declaration = parseDeclaration(text, base);
    if (declaration !== null) found.push(declaration);
    text = '';
  };
  for (let at = 0; at < css.length;) {
    const next = endOfToken(css, at);
    const token = css.slice(at, next);
    if (token === ';' && depth === 0) end();
    else if (!isComment(css, at)) text += token;
    depth = depthAfter(token, depth);
    at = next;
  }
  end();
  return found;
}

const MAX_REPLACED = 50;
const MISSING_MARK = '\0';

/** Replaces the variables of a value, the innermost first. Returns undefined if a variable is missing or the result is too long. */
export function replaceVariables(written: string, valueOf: (name: string) => string | undefined): string | undefined {
  let value = written;
  for (let time = 0; time < MAX_REPLACED; time += 1) {
    const at = value.lastIndexOf('var(');
    if (at < 0) return value.includes(MISSING_MARK) ? undefined : value;
    const end = findClosing(value, at + 'var('.length);
    const content = value.slice(at + 'var('.length, end);
    const comma = content.indexOf(',');
    const name = (comma < 0 ? content : content.slice(0, comma)).trim();
    const variableValue = valueOf(name) ?? (comma < 0 ? MISSING_MARK : content.slice(comma + 1));
    value = `${value.slice(0, at)} ${variableValue.trim()} ${value.slice(end + 1)}`;
    if (value.length > MAX_VALUE_LENGTH) return undefined;
  }
  return undefined;
}

const SUPPORTED_TYPE_PATTERN = /type\(\s*["']image\/(?:avif|webp|png|apng|jpe?g|gif|svg\+xml|bmp)["']\s*\)/i;
const MAX_OPTIONS = 50;

/**
 * Returns the image addresses of a value from `resolveAddresses`. Of an `image-set`, it returns the image for one device pixel per CSS
 * pixel.
 */
export function listPictures(value: string): string[] {
  if (!value.includes('url(')) return [];
  const chosen = removeImageSets(value);
  return [...chosen.matchAll(/url\("(https?:[^"]*)"\)/g)].flatMap(([, url]) => (url === undefined ? [] : [url]));
}

function removeImageSets(value: string): string {
  const at = value.search(/(?:-webkit-)?image-set\(/i);
  if (at < 0) return value;
  const from = value.indexOf('(', at) + 1;
  const end = findClosing(value, from);
  return `${value.slice(0, at)}${pickBest(value.slice(from, end))}${value.slice(end + 1)}`;
}

/** Returns the option with the lowest sufficient density, or the highest density if none is sufficient. */
function pickBest(options: string): string {
  const shown = splitList(options)
    .slice(0, MAX_OPTIONS)
    .filter((option) => !/type\(/i.test(option) || SUPPORTED_TYPE_PATTERN.test(option))
    .map((option) => ({ option, density: parseDensity(option) }))
    .toSorted((one, other) => one.density - other.density);
  return (shown.find(({ density }) => density >= 1) ?? shown.at(-1))?.option ?? '';
}

function parseDensity(option: string): number {
  const [, number = '1', unit = 'x'] = /\s(\d{1,4}(?:\.\d{1,4})?)(x|dppx|dpi|dpcm)\b/i.exec(option) ?? [];
  const perInch = unit.toLowerCase() === 'dpi' ? 96 : unit.toLowerCase() === 'dpcm' ? 96 / 2.54 : 1;
  return Number(number) / perInch;
}
