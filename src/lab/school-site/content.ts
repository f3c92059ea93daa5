/** The pages behind the login, in the order in which the report's test reads them. */
export const CONTENT_PATHS = [
  '/grade-12/01-organic-molecules/01-organic-molecules-07.cnxmlplus',
  '/grade-10/19-quantitative-aspects-of-chemical-change/19-quantitative-aspects-of-chemical-change-01.cnxmlplus',
  '/grade-10/19-quantitative-aspects-of-chemical-change/19-quantitative-aspects-of-chemical-change-06.cnxmlplus',
  '/grade-11/04-intermolecular-forces/04-intermolecular-forces-02.cnxmlplus',
  '/grade-10/05-the-periodic-table/05-the-periodic-table-01.cnxmlplus',
  '/grade-10/22-mechanical-energy/22-mechanical-energy-01.cnxmlplus',
  '/grade-10/24-units-used-in-the-book/24-units-used-in-the-book-01.cnxmlplus',
  '/grade-12/02-organic-macromolecules/02-organic-macromolecules-01.cnxmlplus',
  '/grade-12/05-the-chemical-industry/05-the-chemical-industry-02.cnxmlplus',
  '/grade-12/08-work-energy-and-power/08-work-energy-and-power-03.cnxmlplus',
  '/grade-12/10-colour/10-colour-06.cnxmlplus',
  '/grade-12/11-2d-and-3d-wavefronts/11-2d-and-3d-wavefronts-08.cnxmlplus',
  '/grade-12/12-wave-nature-of-matter/12-wave-nature-of-matter-01.cnxmlplus',
  '/grade-11/13-types-of-reactions/13-types-of-reactions-01.cnxmlplus',
  '/grade-11/14-lithosphere/14-lithosphere-01.cnxmlplus',
] as const;

/** The pages of a reader who logs in: start page, login form, the response to the form, and the content pages. */
export const PAGES = ['/', '/login', '/login_form', ...CONTENT_PATHS] as const;

/**
 * Numbers of pages, of style sheets and scripts, and of images that a complete read loads, from the report. No resource belongs to two
 * pages.
 */
export const COUNTS = { pages: 18, links: 59, images: 99 } as const;

const LINKS_PER_PAGE = { from: 5, many: 4, few: 3 };
const IMAGES_PER_PAGE = { from: 9, many: 6, few: 5 };

export function linksOf(page: number): string[] {
  const { from, many, few } = LINKS_PER_PAGE;
  return Array.from(
    { length: page < from ? many : few },
    (_, link) => `/++resource++page-${page + 1}-${link + 1}.${link === 0 ? 'css' : 'js'}`,
  );
}

export function listImages(page: number): string[] {
  const { from, many, few } = IMAGES_PER_PAGE;
  return Array.from({ length: page < from ? many : few }, (_, image) => `/++resource++page-${page + 1}-${image + 1}.png`);
}

/**
 * Returns the service time of a content page relative to the mean, which is 1. The factors are evenly spread from 0.5 to 1.5. They are
 * shuffled, in the same way at each start, so that the order in a crawl can be checked.
 */
export function delayFactor(content: number): number {
  const count = CONTENT_PATHS.length;
  // 4 and 15 are coprime, so every value occurs exactly once.
  return 0.5 + ((content * 4 + 2) % count) / (count - 1);
}

/** Size of the style sheet with which the cache was measured. */
const MEASURED_CSS_BYTES = 31_966;

export interface Resource {
  readonly type: string;
  readonly body: Buffer;
}

/** Returns every style sheet, script and image by path. */
export function makeResources(): ReadonlyMap<string, Resource> {
  const resources = new Map<string, Resource>();
  for (const page of PAGES.keys()) {
    for (const [index, path] of linksOf(page).entries()) {
      const isCss = path.endsWith('.css');
      const bytes = page === 0 && isCss ? MEASURED_CSS_BYTES : 1_500 + ((page * 7 + index * 13) % 20) * 250;
      const text = isCss ? 'main { max-width: 60rem; }\n' : '// Nothing is done here.\n';
      resources.set(path, { type: isCss ? 'text/css' : 'text/javascript', body: Buffer.alloc(bytes, text) });
    }
    for (const [index, path] of listImages(page).entries())
      resources.set(path, { type: 'image/png', body: makePng(2_000 + ((page * 11 + index * 17) % 30) * 400) });
  }
  return resources;
}

/** A PNG of one grey pixel, as small as possible. */
const POINT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==', 'base64');

/** Returns a PNG with this number of bytes. Decoders ignore the bytes after the end of the picture. */
function makePng(bytes: number): Buffer {
  return Buffer.concat([POINT, Buffer.alloc(Math.max(0, bytes - POINT.length), 'x')]);
}
