import { closing, listed } from './cssText.ts';

const SHOWN_TYPE = /type\(\s*["']image\/(?:avif|webp|png|apng|jpe?g|gif|svg\+xml|bmp)["']\s*\)/i;
const MAX_OPTIONS = 50;

/** Returns the image addresses of a value from `withAddresses`; of an `image-set`, the one for one device pixel per CSS pixel. */
export function picturesOf(value: string): string[] {
  if (!value.includes('url(')) return [];
  const chosen = withoutSets(value);
  return [...chosen.matchAll(/url\("(https?:[^"]*)"\)/g)].flatMap(([, url]) => (url === undefined ? [] : [url]));
}

function withoutSets(value: string): string {
  const at = value.search(/(?:-webkit-)?image-set\(/i);
  if (at < 0) return value;
  const from = value.indexOf('(', at) + 1;
  const end = closing(value, from);
  return `${value.slice(0, at)}${bestOf(value.slice(from, end))}${value.slice(end + 1)}`;
}

/** Returns the option with the lowest sufficient density, else the highest. */
function bestOf(options: string): string {
  const shown = listed(options)
    .slice(0, MAX_OPTIONS)
    .filter((option) => !/type\(/i.test(option) || SHOWN_TYPE.test(option))
    .map((option) => ({ option, density: densityOf(option) }))
    .toSorted((one, other) => one.density - other.density);
  return (shown.find(({ density }) => density >= 1) ?? shown.at(-1))?.option ?? '';
}

function densityOf(option: string): number {
  const [, number = '1', unit = 'x'] = /\s(\d{1,4}(?:\.\d{1,4})?)(x|dppx|dpi|dpcm)\b/i.exec(option) ?? [];
  const perInch = unit.toLowerCase() === 'dpi' ? 96 : unit.toLowerCase() === 'dpcm' ? 96 / 2.54 : 1;
  return Number(number) / perInch;
}
