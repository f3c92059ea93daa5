import { getOwn } from '#core/base/ownMembers.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  v: '\v',
};

/** What `$'…'` means, in which bash reads escapes; browsers copy bodies that way. `from` is behind the opening quote, `next` behind the closing one. */
export function readAnsiQuote(text: string, from: number): { readonly read: string; readonly next: number; readonly isClosed: boolean } {
  let read = '';
  let at = from;
  while (at < text.length) {
    const letter = text.charAt(at);
    if (letter === "'") return { read, next: at + 1, isClosed: true };
    if (letter === '\\') {
      const escaped = escapeAt(text, at + 1);
      read += escaped.read;
      at += 1 + escaped.length;
    } else {
      read += letter;
      at += 1;
    }
  }
  return { read, next: at, isClosed: false };
}

function escapeAt(text: string, at: number): { read: string; length: number } {
  const rest = text.slice(at, at + 9);
  const code = /^(?:x([\dA-Fa-f]{1,2})|u([\dA-Fa-f]{1,4})|U([\dA-Fa-f]{1,8})|([0-7]{1,3}))/.exec(rest);
  if (code === null) return { read: getOwn(ESCAPES, rest.charAt(0)) ?? rest.charAt(0), length: 1 };
  const value = code[4] === undefined ? Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16) : Number.parseInt(code[4], 8);
  if (value > 0x10_ffff) return { read: '', length: code[0].length };
  return { read: rest.startsWith('u') ? String.fromCharCode(value) : String.fromCodePoint(value), length: code[0].length };
}
