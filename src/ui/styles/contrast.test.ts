import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8') + readFileSync(new URL('./series.css', import.meta.url), 'utf8');
const declarations = new Map([...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));

type Scheme = 'light' | 'dark';

/**
 * Returns the relative luminance (WCAG 2) of a token. OKLCH is converted to linear sRGB by Ottosson's matrices
 * (https://bottosson.github.io/posts/oklab/).
 */
function luminance(token: string, scheme: Scheme): number {
  return luminanceOf(resolve(declarations.get(token) ?? '', scheme));
}

function resolve(value: string, scheme: Scheme): string {
  const pair = /^light-dark\(((?:[^()]|\([^()]*\))+),((?:[^()]|\([^()]*\))+)\)$/.exec(value.trim());
  if (pair) return resolve(pair[scheme === 'light' ? 1 : 2] ?? '', scheme);
  const reference = /^var\(--([\w-]+)\)$/.exec(value.trim());
  return reference ? resolve(declarations.get(reference[1] ?? '') ?? '', scheme) : value.trim();
}

function luminanceOf(color: string): number {
  const parts = /^oklch\(([\d.]+)% ([\d.]+) ?([\d.]*)\)$/.exec(color);
  if (!parts) throw new Error(`not a plain oklch colour: ${color}`);
  const lightness = Number(parts[1]) / 100;
  const chroma = Number(parts[2]);
  const hue = (Number(parts[3] || 0) * Math.PI) / 180;
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (channel: number): number => Math.min(1, Math.max(0, channel));
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one: string, other: string, scheme: Scheme): number {
  const [darker = 0, lighter = 0] = [luminance(one, scheme), luminance(other, scheme)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const surfaces = ['surface', 'surface-card', 'surface-sunken', 'surface-raised'];
const texts = ['text', 'text-muted', 'text-accent', 'text-passed', 'text-failed', 'text-inconclusive', 'text-info'];
const meanings = ['accent', 'passed', 'failed', 'inconclusive', 'info'];
const schemes: Scheme[] = ['light', 'dark'];

describe('contrast', () => {
  it.each(schemes)('is at least 7:1 for text on every surface (%s)', (scheme) => {
    const poor = texts.flatMap((text) => surfaces.map((surface) => ({ text, surface, ratio: ratio(text, surface, scheme) })));
    expect(poor.filter((pair) => pair.ratio < 7)).toEqual([]);
  });

  it.each(schemes)('is at least 7:1 for text on a wash with the same meaning (%s)', (scheme) => {
    const pairs = meanings.flatMap((meaning) => [`text-${meaning}`, 'text', 'text-muted'].map((text) => ({ text, meaning })));
    const poor = pairs.map((pair) => ({ ...pair, ratio: ratio(pair.text, `wash-${pair.meaning}`, scheme) }));
    expect(poor.filter((pair) => pair.ratio < 7)).toEqual([]);
  });

  it.each(schemes)('is at least 7:1 for text on filled controls (%s)', (scheme) => {
    for (const fill of ['fill-accent', 'fill-accent-hover', 'fill-danger', 'fill-danger-hover']) {
      expect(ratio('on-fill', fill, scheme), fill).toBeGreaterThanOrEqual(7);
    }
  });

  it.each(schemes)('is at least 7:1 for numbers on the strongest shade of a table (%s)', (scheme) => {
    expect(ratio('text', 'heat-full', scheme)).toBeGreaterThanOrEqual(7);
  });

  it.each(schemes)('rises from p50 to the longest time, in steps that differ in greyscale (%s)', (scheme) => {
    const steps = ['series-p50', 'series-p90', 'series-p99', 'series-max'].map((name) => ratio(name, 'surface-card', scheme));
    const rises = steps.slice(1).map((step, index) => step / (steps[index] ?? step));
    expect(rises.filter((rise) => rise < 1.2)).toEqual([]);
  });

  it.each(schemes)('is at least 3:1 for lines of controls and for data (%s)', (scheme) => {
    const graphics = [
      'line-control',
      'focus',
      ...[...declarations.keys()].filter((name) => name.startsWith('series-') && name !== 'series-planned'),
    ];
    const poor = graphics.map((name) => ({ name, ratio: ratio(name, 'surface-card', scheme) }));
    expect(poor.filter((pair) => pair.ratio < 3)).toEqual([]);
  });
});
