const COPIED = ['fill', 'stroke'] as const;
const TITLE_HEIGHT = 30;
const MARGIN = 12;
const PIXELS_PER_UNIT = 2;

/** The chart as an SVG file of its own: colours as they are on the screen now, in plain RGB, on its own background, under its title. */
export function standaloneSvg(drawn: SVGSVGElement, title: string): string {
  const copy = drawn.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) throw new Error('a copy of an SVG is an SVG');
  const width = drawn.width.baseVal.value;
  const height = drawn.height.baseVal.value;
  const toRgb = rgbReader();
  const originals = drawn.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const style = getComputedStyle(original);
    for (const name of COPIED) {
      const value = style.getPropertyValue(name);
      if (value.startsWith('url(')) element.setAttribute(name, value.replace(/url\("?[^#"]*(#[^")]+)"?\)/, 'url($1)'));
      else if (value !== '' && value !== 'none') element.setAttribute(name, toRgb(value));
    }
    element.removeAttribute('class');
    element.removeAttribute('style');
  });
  const page = getComputedStyle(drawn);
  const surface = toRgb(getComputedStyle(document.documentElement).getPropertyValue('--surface-card') || 'white', drawn);
  for (const name of ['class', 'style', 'role', 'tabindex']) copy.removeAttribute(name);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width + 2 * MARGIN));
  copy.setAttribute('height', String(height + TITLE_HEIGHT + MARGIN));
  copy.setAttribute('viewBox', `${-MARGIN} ${-TITLE_HEIGHT} ${width + 2 * MARGIN} ${height + TITLE_HEIGHT + MARGIN}`);
  copy.setAttribute('font-family', page.fontFamily.replaceAll('"', "'"));
  copy.prepend(backdrop(width, height, surface), heading(title, toRgb(page.color)));
  return new XMLSerializer().serializeToString(copy);
}

/** The same as a PNG, twice as many pixels as on the screen. */
export async function pictureOf(svg: string): Promise<Blob> {
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

/** Reads any CSS colour as `rgb()` or `rgba()`: other programs do not know `oklch()`. */
function rgbReader(): (color: string, within?: Element) => string {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map<string, string>();
  return (color, within) => {
    const plain = within ? resolved(color, within) : color;
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

/** What a colour with `var()` or `light-dark()` comes to at a place of the page. */
function resolved(color: string, within: Element): string {
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

function backdrop(width: number, height: number, fill: string): SVGElement {
  return svgElement('rect', { x: -MARGIN, y: -TITLE_HEIGHT, width: width + 2 * MARGIN, height: height + TITLE_HEIGHT + MARGIN, fill });
}

function heading(title: string, fill: string): SVGElement {
  const text = svgElement('text', { x: 0, y: -10, 'font-size': 14, 'font-weight': 600, fill });
  text.textContent = title;
  return text;
}
