/** Longer lists belong into several tests. */
export const MOST_PAGES = 100;

/** The paths of an answer to a question for pages: apart by blanks or line breaks. */
export function pagesIn(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((path) => path !== ''))];
}

/** Why a text is no list of pages; null when it is one. */
export function pagesProblem(text: string): { message: string; hint: string } | null {
  const pages = pagesIn(text);
  if (pages.length === 0) return { message: 'names no page', hint: 'Write one path on each line, for example /grade-10/page.html.' };
  if (pages.length > MOST_PAGES) return { message: `names ${pages.length} pages`, hint: `Name at most ${MOST_PAGES}.` };
  const wrong = pages.find((page) => !/^\/(?!\/)/.test(page) || page.length > 2_000 || /[{}]/.test(page));
  if (wrong === undefined) return null;
  return {
    message: `holds “${wrong.slice(0, 60)}”, which is no path`,
    hint: 'Write what follows the host in the address, from its first slash on; blanks as %20, braces as %7B and %7D.',
  };
}

const LONGEST_NAME = 48;

/** A short name for each page, from the end of its path; no two are the same. */
export function pageNames(paths: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return paths.map((path) => {
    const name = nameOf(path);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

function nameOf(path: string): string {
  const [place = '', query = ''] = path.split('?', 2);
  const last = place.split('/').findLast((part) => part !== '') ?? 'start page';
  const short = last.replace(/\.[a-z]\w{0,15}$/i, '');
  const name = query === '' ? short : `${short}?${query}`;
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}
