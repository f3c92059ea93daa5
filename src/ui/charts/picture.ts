import { keyPositions } from '#core/presentation/charts/layOutLabels.ts';

const COPIED_ATTRIBUTES = ['fill', 'stroke'] as const;
const TITLE_HEIGHT = 30;
const MARGIN = 12;
const PIXELS_PER_UNIT = 2;
const KEY_FONT = 12;
const KEY_LINE = 18;
const KEY_GAP = 16;
/** Distance between a line sample and its name, in pixels. */
const SWATCH_GAP = 4;

/** Entry of a chart's legend. */
export interface KeyEntry {
  readonly swatch: SVGSVGElement;
  readonly name: string;
}

/**
 * Returns the chart as a standalone SVG file with title and background, in the current colours as plain RGB. `key` has the legend entries
 * if the names are not next to the lines.
 */
export function standaloneSvg(drawnElement: SVGSVGElement, title: string, key: readonly KeyEntry[] = []): string {
  const toRgb = rgbReader();
  const copy = copyWithStyles(drawnElement, toRgb);
  const width = drawnElement.width.baseVal.value;
  const height = drawnElement.height.baseVal.value;
  const page = getComputedStyle(drawnElement);
  const ink = toRgb(page.color);
  const surface = toRgb(getComputedStyle(document.documentElement).getPropertyValue('--surface-card') || 'white', drawnElement);
  const names = keyGroup(key, width, page.fontFamily, (entry) => copyWithStyles(entry, toRgb), ink);
  const top = TITLE_HEIGHT + names.height;
  const frame = { x: -MARGIN, y: -top, width: width + 2 * MARGIN, height: height + top + MARGIN };
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(frame.width));
  copy.setAttribute('height', String(frame.height));
  copy.setAttribute('viewBox', `${frame.x} ${frame.y} ${frame.width} ${frame.height}`);
  copy.setAttribute('font-family', page.fontFamily.replaceAll('"', "'"));
  copy.prepend(svgElement('rect', { ...frame, fill: surface }), titleText(title, -10 - names.height, ink), names.group);
  return new XMLSerializer().serializeToString(copy);
}

/** Copies the drawing with all styles inlined. */
function copyWithStyles(drawnElement: SVGSVGElement, toRgb: ReturnType<typeof rgbReader>): SVGSVGElement {
  const copy = drawnElement.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('a copy of an SVG is an SVG');
  const originals = drawnElement.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const style = getComputedStyle(original);
    for (const name of COPIED_ATTRIBUTES) {
      const value = style.getPropertyValue(name);
      if (value.startsWith('url(')) element.setAttribute(name, value.replace(/url\("?[^#"]*(#[^")]+)"?\)/, 'url($1)'));
      else if (value !== '' && value !== 'none') element.setAttribute(name, toRgb(value));
    }
    element.removeAttribute('class');
    element.removeAttribute('style');
  });
  for (const name of ['class', 'style', 'role', 'tabindex']) copy.removeAttribute(name);
  return copy;
}

/** Returns the legend above the drawing, wrapped into rows. */
function keyGroup(
  key: readonly KeyEntry[],
  room: number,
  fontFamily: string,
  copyOf: (swatch: SVGSVGElement) => SVGSVGElement,
  ink: string,
): { readonly group: SVGElement; readonly height: number } {
  const group = svgElement('g', { 'font-size': KEY_FONT, fill: ink });
  const measure = document.createElement('canvas').getContext('2d');
  if (measure) measure.font = `${KEY_FONT}px ${fontFamily}`;
  const swatches = key.map(({ swatch }) => swatch.width.baseVal.value + SWATCH_GAP);
  const widths = key.map(({ name }, index) => (swatches[index] ?? 0) + (measure?.measureText(name).width ?? name.length * KEY_FONT));
  const places = keyPositions(widths, KEY_GAP, room);
  const height = key.length === 0 ? 0 : KEY_LINE * (1 + Math.max(...places.map(({ row }) => row)));
  for (const [index, { swatch, name }] of key.entries()) {
    const { x = 0, row = 0 } = places[index] ?? {};
    const middle = -height + KEY_LINE * row + KEY_LINE / 2;
    const piece = copyOf(swatch);
    piece.setAttribute('x', String(x));
    piece.setAttribute('y', String(middle - swatch.height.baseVal.value / 2));
    const text = svgElement('text', { x: x + (swatches[index] ?? 0), y: middle + KEY_FONT * 0.355 });
    text.textContent = name;
    group.append(piece, text);
  }
  return { group, height };
}

/** Renders an SVG as a PNG with two pixels per CSS pixel. */
export async function renderPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * PIXELS_PER_UNIT;
    canvas.height = image.naturalHeight * PIXELS_PER_UNIT;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser gave no picture'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** Returns a function that converts any CSS colour to `rgb()` or `rgba()`, because other programs do not support `oklch()`. */
function rgbReader(): (color: string, within?: Element) => string {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map<string, string>();
  return (color, within) => {
    const plain = within ? resolveColor(color, within) : color;
    const before = known.get(plain);
    if (before !== undefined || !context) return before ?? plain;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = plain;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 255] = context.getImageData(0, 0, 1, 1).data;
    const rgb = alpha === 255 ? `rgb(${red}, ${green}, ${blue})` : `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(3)})`;
    known.set(plain, rgb);
    return rgb;
  };
}

/** Resolves a colour that uses `var()` or `light-dark()`, inside an element. */
function resolveColor(color: string, within: Element): string {
  const probe = document.createElement('span');
  probe.style.color = color;
  within.parentElement?.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

function svgElement(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

function titleText(title: string, y: number, fill: string): SVGElement {
  const text = svgElement('text', { x: 0, y, 'font-size': 14, 'font-weight': 600, fill });
  text.textContent = title;
  return text;
}
