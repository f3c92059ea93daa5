/** A string that an attacker may send wherever a program accepts text from outside. */
export interface HostileString {
  readonly name: string;
  /** The text after decoding. */
  readonly text: string;
  /** The text as it is sent, one character per byte. It differs from UTF-8 if the bytes are not valid UTF-8. */
  readonly wire: string;
}

const ESC = '\u001b';
/** A length that no program that reads a string expects. */
const LONG = 1_048_576;

const TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  proto: '__proto__',
  constructor: 'constructor',
  toString: 'toString',
  hasOwnProperty: 'hasOwnProperty',
  valueOf: 'valueOf',
  length: 'length',
  'cursor sequence': `${ESC}[2J${ESC}[1;1H`,
  'colour sequence': `${ESC}[31;5mred`,
  'title sequence': `${ESC}]0;owned\u0007`,
  'hyperlink sequence': `${ESC}]8;;http://elsewhere.test/${ESC}\\click${ESC}]8;;${ESC}\\`,
  'clipboard sequence': `${ESC}]52;c;cm0gLXJmIH4K\u0007`,
  'device sequence': `${ESC}P+q544e${ESC}\\`,
  'eight bit sequence': '\u009b31m\u009d0;owned\u009c',
  'backspaces and returns': 'safe\b\b\b\bevil\rover',
  'separators of lines': 'one\u2028two\u2029three\u0085four',
  'bidirectional marks': '\u202eexe.txt\u202c \u2066isolated\u2069 \u200f',
  'invisible letters': 'a\u200bb\u200dc\ufeffd\u00ade',
  'formula of a table': `=cmd|' /C calc'!A0`,
  'formula with a sign': '+1+1',
  'formula with at': '@SUM(1+1)*cmd',
  script: '<script>globalThis.hostileRan=1</script>',
  'end of style': '</style><script>globalThis.hostileRan=1</script>',
  'end of script': '</script><script>globalThis.hostileRan=1</script>',
  image: `"><img src=x onerror="globalThis.hostileRan=1">`,
  'vector image': '<svg onload=globalThis.hostileRan=1>',
  'address that is a script': 'javascript:globalThis.hostileRan=1',
  'end of character data': ']]><hostile/>',
  entity: '&lt;script&gt;&#0;&#x10ffff;&',
  'comment of HTML': '--><script>globalThis.hostileRan=1</script><!--',
  'end of a Markdown cell': '| a | b |\n|---|---|\n[x](javascript:alert(1)) `x` **x**',
  'template of a plan': '{{secret}}{{user.password}}',
  'template of a script': '${process.exit(1)}`',
  'replacement pattern': "$&$1$`$'",
  'path upwards': '../../../../etc/passwd',
  'sequel of SQL': `'; DROP TABLE runs; --`,
  'sequel of a shell': '$(touch /tmp/hostile);`id`|& -rf',
  'sequel of a number': '1e999',
  'long number': '9'.repeat(400),
  'negative zero': '-0',
  'date far back': 'Thu, 01 Jan 0001 00:00:00 GMT',
  'date far ahead': 'Fri, 31 Dec 275760 23:59:59 GMT',
  'zero byte': 'before\u0000after',
  'lone surrogate': '\ud800x\udfff',
  'letters with many marks': `Z${'\u0300'.repeat(2_000)}`,
  'many quotes': '"\'`\\'.repeat(200),
  'many brackets': '['.repeat(3_000),
  'many entities': '&amp;'.repeat(3_000),
  'long words': 'x'.repeat(10_000),
};

const WIRES: Readonly<Record<string, string>> = {
  'invalid UTF-8': '\xff\xfe\xc3\x28\xed\xa0\x80\xf8\x88\x80\x80\x80',
  'overlong UTF-8': '\xc0\xaf\xe0\x80\xaf\xc1\x9c',
  'half a letter': 'caf\xc3',
};

/** Returns the text in UTF-8, one character per byte. A lone surrogate becomes three bytes, which are not valid UTF-8 (as in CESU-8). */
export function makeWire(text: string): string {
  let wire = '';
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x80) wire += letter;
    else if (code < 0x800) wire += String.fromCodePoint(0xc0 | (code >> 6), continued(code, 0));
    else if (code < 0x1_0000) wire += String.fromCodePoint(0xe0 | (code >> 12), continued(code, 6), continued(code, 0));
    else wire += String.fromCodePoint(0xf0 | (code >> 18), continued(code, 12), continued(code, 6), continued(code, 0));
  }
  return wire;
}

function continued(code: number, shift: number): number {
  return 0x80 | ((code >> shift) & 0x3f);
}

/** The list from which every test draws. {@link newString} makes strings that are always new. */
export const HOSTILE_STRINGS: readonly HostileString[] = [
  ...Object.entries(TEXTS).map(([name, text]) => ({ name, text, wire: makeWire(text) })),
  ...Object.entries(WIRES).map(([name, wire]) => ({ name, text: wire, wire })),
];

/** Returns a megabyte of one string. It is not in the list, because few fields accept it. */
export function longString(fill = 'A'): string {
  return fill.repeat(Math.ceil(LONG / fill.length)).slice(0, LONG);
}

/** Returns a string that never occurred before; each call needs another number. */
export function newString(number: number): string {
  return `new-${number.toString(36)}-${((number * 2_654_435_761) % 4_294_967_296).toString(36)}`;
}

/**
 * Matches characters that must never reach a terminal: controls other than line feed and tab, marks that change the direction of text, and
 * invisible separators.
 */
export const TERMINAL_HARM = /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
