/** What a shell would put in the place of something that begins with `$` or a backtick. */
export type Expansion =
  /** The sign is a letter like others. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'variable';
      readonly name: string;
      /** `${name:-otherwise}`: null without. */
      readonly otherwise: string | null;
      readonly length: number;
    }
  /** Only a shell knows it; `name` is what a person is asked for instead. */
  | { readonly kind: 'unknown'; readonly what: string; readonly why: string; readonly name: string; readonly length: number };

const ONLY_A_SHELL = 'something that only a shell can fill in';
const PRINTED = 'a command whose output only a shell can fill in; it was not run';

/** Reads what begins at `at`, a `$` or a backtick. */
export function expansionAt(text: string, at: number): Expansion {
  if (text.charAt(at) === '`') {
    const end = text.indexOf('`', at + 1);
    return printed('`…`', text.slice(at + 1, end < 0 ? text.length : end), (end < 0 ? text.length : end + 1) - at);
  }
  const next = text.charAt(at + 1);
  if (next === '(') {
    const end = closing(text, at + 1);
    return printed('$(…)', text.slice(at + 2, end), Math.min(text.length, end + 1) - at);
  }
  if (next === '{') return braced(text, at);
  const [name = ''] = /^[A-Za-z_]\w{0,59}/.exec(text.slice(at + 1, at + 61)) ?? [];
  if (name !== '') return { kind: 'variable', name, otherwise: null, length: name.length + 1 };
  if (/[\d@*#?!$-]/.test(next)) return unknown(`$${next}`, next, 2);
  return { kind: 'none' };
}

function braced(text: string, at: number): Expansion {
  const end = text.indexOf('}', at);
  const length = (end < 0 ? text.length : end + 1) - at;
  const inside = end < 0 ? '' : text.slice(at + 2, end);
  const [, name = '', operator = '', word = ''] = /^([A-Za-z_]\w{0,59}|[\d@*]\d{0,2})(?:(:?[-=]|:?\?)([^]*))?$/.exec(inside) ?? [];
  if (name === '' || /[$`"'\\{]/.test(word)) return unknown('${…}', inside, length);
  const otherwise = /[-=]/.test(operator) ? word : null;
  if (/^\w+$/.test(name) && (otherwise !== null || !/^\d/.test(name))) return { kind: 'variable', name, otherwise, length };
  return unknown(`\${${name}}`, name, length);
}

function unknown(what: string, named: string, length: number): Expansion {
  const word = /\w+/.exec(named.slice(0, 60))?.[0] ?? '';
  return { kind: 'unknown', what, why: ONLY_A_SHELL, name: /^\d*$/.test(word) ? `argument${word === '' ? '' : `_${word}`}` : word, length };
}

function printed(what: string, command: string, length: number): Expansion {
  const word = /[A-Za-z_]\w{0,39}/.exec(command.slice(0, 100))?.[0] ?? 'command';
  return { kind: 'unknown', what, why: PRINTED, name: `output_of_${word}`, length };
}

/** Where the bracket is closed that is opened at `from`; the end of the text where it is not. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.charAt(at) === '(') depth += 1;
    if (text.charAt(at) === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
