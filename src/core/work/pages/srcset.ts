/** A screen of one device pixel for each CSS pixel, this wide: the picture that it needs is never chosen by luck. */
const SCREEN_WIDTH = 1_280;
/** More of one picture are left out. */
const MOST_CANDIDATES = 200;

interface Candidate {
  readonly url: string;
  /** In pixels of the picture; null where density says which is meant. */
  readonly width: number | null;
  readonly density: number;
}

/**
 * The picture that a browser would take of `srcset` and `src` on a screen of 1,280 pixels: of widths the smallest that fills it, else the
 * largest; of densities the one nearest to 1. `sizes` is not looked at. null when there is none.
 */
export function chosenImage(src: string | undefined, srcset: string | undefined): string | null {
  const candidates = srcset === undefined ? [] : candidatesOf(srcset);
  const wide = candidates.filter((candidate) => candidate.width !== null);
  if (wide.length > 0) return widest(wide);
  if (src !== undefined && src.trim() !== '' && !candidates.some(({ density }) => density === 1))
    candidates.push({ url: src, width: null, density: 1 });
  const [nearest] = candidates.toSorted((one, other) => Math.abs(one.density - 1) - Math.abs(other.density - 1));
  return nearest?.url ?? null;
}

function widest(candidates: readonly Candidate[]): string | null {
  const byWidth = candidates.toSorted((one, other) => (one.width ?? 0) - (other.width ?? 0));
  return (byWidth.find(({ width }) => (width ?? 0) >= SCREEN_WIDTH) ?? byWidth.at(-1))?.url ?? null;
}

/** Addresses may hold commas, but neither begin nor end with one, and end at a blank (HTML, “parsing a srcset attribute”). */
function candidatesOf(srcset: string): Candidate[] {
  const found: Candidate[] = [];
  const pattern = /[\s,]*([^\s,]\S*)(?:\s+([^,]*))?,?/y;
  for (let match = pattern.exec(srcset); match !== null && found.length < MOST_CANDIDATES; match = pattern.exec(srcset)) {
    const [, written = '', descriptor = ''] = match;
    const url = written.slice(0, endWithoutCommas(written));
    if (url !== written) pattern.lastIndex -= match[0].length - match[0].indexOf(written) - written.length;
    found.push({ url, ...descriptorOf(url === written ? descriptor : '') });
  }
  return found;
}

/** Not by a pattern for commas at the end, which begins anew at each comma of an address that is full of them. */
function endWithoutCommas(text: string): number {
  let end = text.length;
  while (text[end - 1] === ',') end -= 1;
  return end;
}

function descriptorOf(text: string): Pick<Candidate, 'width' | 'density'> {
  const [, number = '', unit] = /(?:^|\s)(\d+(?:\.\d+)?)([wx])(?:\s|$)/.exec(text) ?? [];
  if (unit === 'w') return { width: Number(number), density: 1 };
  return { width: null, density: unit === 'x' ? Number(number) : 1 };
}
