import { depthAfter, endOfToken, isComment, unescaped, withAddresses } from './cssText.ts';
import type { Declaration } from './sheet.ts';

/** Properties with images, mapped to the property that holds the image. */
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
const OTHERS: ReadonlySet<string> = new Set(['display', 'font', 'font-family', 'font-weight', 'font-style']);

/** Values that Chromium rejects, so an earlier declaration stays valid. */
const UNKNOWN_VALUE = /\\[09](?![\da-f])|(?:^|[\s,(])-(?:moz|ms|o|khtml)-|expression\(|progid:/i;

/** Parses a declaration; returns null if its property is irrelevant. */
export function declarationOf(text: string, base: string): Declaration | null {
  const at = text.indexOf(':');
  const written = text.slice(0, Math.max(0, at)).trim();
  const isOwn = written.startsWith('--');
  const name = isOwn ? unescaped(written) : written.toLowerCase();
  const property = PICTURE_OF.get(name) ?? (isOwn || OTHERS.has(name) ? name : null);
  if (property === null || name.length > 200) return null;
  const [, plain = '', important] = /^([^]*?)(!\s*important)?$/i.exec(text.slice(at + 1).trim()) ?? [];
  const value = withAddresses(plain.trim(), base);
  if (value === null || (value === '' && !isOwn)) return null;
  if (!isOwn && property !== 'content' && UNKNOWN_VALUE.test(value)) return null;
  return { property, value, isImportant: important !== undefined };
}

/** Parses the declarations of a `style` attribute. */
export function readDeclarations(css: string, base: string): Declaration[] {
  const found: Declaration[] = [];
  let text = '';
  let depth = 0;
  const end = (): void => {
    const declaration = declarationOf(text, base);
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
