import type { Reason } from './commandTools.ts';

export interface Refused {
  /** As it was written; never a value that may be a secret. */
  readonly what: string;
  readonly reason: Reason;
}

const PIECE =
  /(?:\d|&)?>>?(?:&\d)?|&&|;(?=\s|$)|&(?=\s|$)|[|<]|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|&(?![&>\s]|$)|;(?!\s|$)|[^\s'"\\|<>&;])+|['"\\]/g;

/**
 * The first command of the text, split as a shell would: quotes and backslashes are taken away, a prompt (`$`) and where the
 * output goes (`> file`, `| tee file`) are left out, and what only a shell can do is refused.
 */
export function shellWords(text: string): { readonly words: readonly string[]; readonly refused: readonly Refused[] } {
  const pieces = [...text.replaceAll(/\\\r?\n/g, ' ').matchAll(PIECE)].map(([piece]) => piece);
  const words: string[] = [];
  const refused: Refused[] = [];
  for (let index = pieces[0] === '$' ? 1 : 0; index < pieces.length; index += 1) {
    const piece = pieces[index] ?? '';
    if (piece === '|') break;
    if (/^(\d|&)?>/.test(piece)) {
      if (!/&\d$/.test(piece)) index += 1;
    } else if (/^(&&|[;&])$/.test(piece)) {
      if (index < pieces.length - 1) refused.push({ what: piece, reason: 'nextCommand' });
      break;
    } else if (piece === '<') {
      refused.push({ what: piece, reason: 'input' });
      index += 1;
    } else if (/^['"\\]$/.test(piece)) {
      refused.push({ what: piece, reason: 'quote' });
    } else {
      const variable = /\$'|`|\$[A-Za-z_({]\w*/.exec(piece.replaceAll(/(?<!\$)'[^']*'|\\./g, ''));
      if (variable) refused.push({ what: variable[0], reason: 'variable' });
      words.push(unquoted(piece));
    }
  }
  return { words, refused };
}

function unquoted(piece: string): string {
  return piece.replaceAll(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_whole, single?: string, double?: string, escaped?: string) => single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}
