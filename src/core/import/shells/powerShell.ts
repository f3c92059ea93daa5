import { getOwn } from '#core/base/ownMembers.ts';
import { beginsCommand, toolNameOf, variableMark, wordsOnly, type ShellText } from './shellText.ts';
import { PRINTED } from './expansion.ts';

type Token =
  | { readonly kind: 'word' | 'text'; readonly text: string }
  | { readonly kind: 'sign'; readonly text: string }
  | { readonly kind: 'end' };

const REQUEST = /^(invoke-webrequest|invoke-restmethod|iwr|irm)$/i;

export function holdsWebRequest(text: string): boolean {
  return /\b(invoke-webrequest|invoke-restmethod|iwr|irm)\b/i.test(text.slice(0, 20_000));
}

/** Splits a text into the words of its commands, as PowerShell does. Converts `Invoke-WebRequest`, as browsers copy it, to an equivalent curl command. */
export function powerShellCommands(text: string): ShellText {
  const unfilled: { what: string; why: string }[] = [];
  const statements = splitStatements(tokensOf(text, unfilled));
  const session: string[] = [];
  const commands: string[][] = [];
  for (const tokens of statements) {
    const request = tokens.findIndex((token) => token.kind === 'word' && REQUEST.test(token.text));
    if (request >= 0) commands.push(['curl', ...requestWords(tokens.slice(request + 1), unfilled), ...session]);
    else if (tokens.some((token) => token.kind === 'word' && toolNameOf(token.text) !== null))
      commands.push(tokens.flatMap((token) => (token.kind === 'end' ? [] : [token.text])));
    else session.push(...sessionWords(tokens));
  }
  return { commands: wordsOnly(commands), unfilled };
}

function splitStatements(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'sign' && /[({]$/.test(token.text)) depth += 1;
    if (token.kind === 'sign' && /^[)}]$/.test(token.text)) depth -= 1;
    if (token.kind === 'end' && depth <= 0) statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

/** Converts `$session.UserAgent = "…"` and `$session.Cookies.Add((New-Object System.Net.Cookie("name", "value", "/", "host")))` to options of curl. */
function sessionWords(tokens: readonly Token[]): string[] {
  const [first] = tokens;
  const texts = tokens.flatMap((token) => (token.kind === 'text' ? [token.text] : []));
  if (first?.kind !== 'word') return [];
  if (/\.useragent$/i.test(first.text) && texts[0] !== undefined) return ['-A', texts[0]];
  const isCookie = tokens.some((token) => token.kind === 'word' && /net\.cookie$/i.test(token.text));
  return isCookie && texts.length >= 2 ? ['-b', `${texts[0] ?? ''}=${texts[1] ?? ''}`] : [];
}

function requestWords(tokens: readonly Token[], unfilled: { what: string; why: string }[]): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at];
    at += 1;
    if (token?.kind === 'text' || (token?.kind === 'word' && !token.text.startsWith('-'))) words.push('--url', token.text);
    if (token?.kind !== 'word' || !token.text.startsWith('-')) continue;
    const option = token.text.toLowerCase().replace(/:$/, '');
    if (/^-(usebasicparsing|skipcertificatecheck|disablekeepalive|allowunencryptedauthentication|skipheadervalidation)$/.test(option)) {
      if (option === '-skipcertificatecheck') words.push('--insecure');
      if (option === '-disablekeepalive') words.push('--no-keepalive');
      continue;
    }
    const { value, pairs, next } = valueFrom(tokens, at);
    at = next;
    words.push(...optionWords(option, value, pairs, unfilled));
  }
  return words;
}

function optionWords(
  option: string,
  value: string,
  pairs: readonly (readonly [string, string])[],
  unfilled: { what: string; why: string }[],
): string[] {
  switch (option) {
    case '-uri':
      return ['--url', value];
    case '-method':
      return ['-X', value];
    case '-useragent':
      return ['-A', value];
    case '-contenttype':
      return ['-H', `Content-Type: ${value}`];
    case '-headers':
      return pairs.flatMap(([name, text]) => ['-H', `${name}: ${text}`]);
    case '-body':
      return pairs.length > 0 ? pairs.flatMap(([name, text]) => ['--data-urlencode', `${name}=${text}`]) : ['--data-raw', value];
    case '-infile':
      return ['--data-binary', `@${value}`];
    case '-timeoutsec':
      return ['-m', value];
    case '-maximumredirection':
      return value === '0' ? [] : ['-L', '--max-redirs', value];
    case '-websession':
    case '-sessionvariable':
    case '-outfile':
      return [];
    default:
      unfilled.push({ what: option, why: 'an unknown option' });
      return [];
  }
}

/** Reads a text, a table `@{ "name"="value" … }`, or the first text within parentheses. */
function valueFrom(tokens: readonly Token[], from: number): { value: string; pairs: (readonly [string, string])[]; next: number } {
  const first = tokens[from];
  if (first?.kind !== 'sign') return { value: first === undefined || first.kind === 'end' ? '' : first.text, pairs: [], next: from + 1 };
  let depth = 0;
  let next = from;
  const texts: string[] = [];
  for (; next < tokens.length; next += 1) {
    const token = tokens[next];
    if (token?.kind === 'sign' && /[({]$/.test(token.text)) depth += 1;
    if (token?.kind === 'sign' && /^[)}]$/.test(token.text)) depth -= 1;
    if (token?.kind === 'text' || (token?.kind === 'word' && first.text === '@{')) texts.push(token.text);
    if (depth === 0) break;
  }
  const pairs =
    first.text === '@{' ? texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] ?? ''] as const] : [])) : [];
  return { value: texts[0] ?? '', pairs, next: next + 1 };
}

function tokensOf(text: string, unfilled: { what: string; why: string }[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const letter = text.charAt(at);
    if (letter === '\n') {
      tokens.push({ kind: 'end' });
      at += 1;
    } else if (letter === ';' && /^;\s|^;$/.test(text.slice(at, at + 2))) {
      tokens.push({ kind: 'end' });
      at += 1;
    } else if (/\s/.test(letter)) at += 1;
    else if (letter === '`') {
      const [broken = ''] = /^`[\t ]*\r?\n/.exec(text.slice(at, at + 40)) ?? [];
      at += broken.length === 0 ? 2 : broken.length;
    } else if (letter === '"' || letter === "'") {
      const quoted = letter === '"' ? doubleQuoted(text, at, unfilled) : singleQuoted(text, at);
      tokens.push({ kind: 'text', text: quoted.text });
      at = quoted.next;
    } else if (text.startsWith('@{', at)) {
      tokens.push({ kind: 'sign', text: '@{' });
      at += 2;
    } else if (/[(){}=,]/.test(letter)) {
      tokens.push({ kind: 'sign', text: letter });
      at += 1;
    } else {
      const [word = letter] = /^[^\s"'`(){},=;]+/.exec(text.slice(at, at + 4_000)) ?? [];
      // In an unquoted address, = and ; have no special meaning.
      const [address = word] = /^https?:[^\s"'`]+/i.exec(text.slice(at, at + 4_000)) ?? [];
      tokens.push({ kind: 'word', text: address });
      at += Math.max(1, address.length);
    }
  }
  return tokens;
}

function singleQuoted(text: string, from: number): { text: string; next: number } {
  let read = '';
  let at = from + 1;
  for (; at < text.length; at += 1) {
    if (text.charAt(at) !== "'") read += text.charAt(at);
    else if (text.charAt(at + 1) === "'") {
      read += "'";
      at += 1;
    } else break;
  }
  return { text: read, next: at + 1 };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
};

function doubleQuoted(text: string, from: number, unfilled: { what: string; why: string }[]): { text: string; next: number } {
  let read = '';
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '`') {
      const next = text.charAt((at += 1));
      read += getOwn(ESCAPES, next) ?? next;
    } else if (letter === '"') {
      if (text.charAt(at + 1) !== '"') break;
      read += '"';
      at += 1;
    } else if (letter === '$') {
      const rest = text.slice(at, at + 80);
      const code = /^\$\(\[char\](0x[\dA-F]{1,5}|\d{1,6})\)/i.exec(rest);
      const variable = /^\$(?:env:)?([A-Za-z_]\w*)/i.exec(rest);
      if (code !== null) {
        read += String.fromCodePoint(Math.min(0x10_ffff, Number(code[1])));
        at += code[0].length - 1;
      } else if (variable !== null) {
        read += variableMark((variable[1] ?? '').slice(0, 60));
        at += variable[0].length - 1;
      } else {
        if (rest.startsWith('$(')) unfilled.push({ what: '$(…)', why: PRINTED });
        read += letter;
      }
    } else read += letter;
  }
  return { text: read, next: at + 1 };
}

/** Whether a command for an ordinary program has the line breaks or quotes of PowerShell. */
export function looksLikePowerShell(text: string): boolean {
  return /`[\t ]*\r?\n/.test(text) && beginsCommand(text);
}
