import { getOwn } from '#core/base/ownMembers.ts';
import { beginsCommand, readToolName, variableMark, fromWords, type ShellText } from './shellText.ts';
import { COMMAND_SUBSTITUTION_REASON } from './expansion.ts';

interface Token {
  readonly kind: 'word' | 'text' | 'sign' | 'end';
  readonly text: string;
}

type UnfilledPart = { what: string; why: string }[];

const REQUEST_COMMAND_PATTERN = /^(invoke-webrequest|invoke-restmethod|iwr|irm)$/i;

export function holdsWebRequest(text: string): boolean {
  return /\b(invoke-webrequest|invoke-restmethod|iwr|irm)\b/i.test(text.slice(0, 20_000));
}

/** Returns whether a command for an ordinary program is continued over lines as in PowerShell. */
export function looksLikePowerShell(text: string): boolean {
  return /`[\t ]*\r?\n/.test(text) && beginsCommand(text);
}

/**
 * Splits a text into the words of its commands, as PowerShell does. Converts `Invoke-WebRequest`, as browsers copy it, to an equivalent
 * curl command.
 */
export function powerShellCommands(text: string): ShellText {
  const unfilled: UnfilledPart = [];
  const session: string[] = [];
  const commands: string[][] = [];
  for (const tokens of splitStatements(readTokens(text, unfilled))) {
    const request = tokens.findIndex(({ kind, text: word }) => kind === 'word' && REQUEST_COMMAND_PATTERN.test(word));
    if (request >= 0) commands.push(['curl', ...requestWords(tokens.slice(request + 1), unfilled), ...session]);
    else if (tokens.some(({ kind, text: word }) => kind === 'word' && readToolName(word) !== null))
      commands.push(tokens.flatMap((token) => (token.kind === 'end' ? [] : [token.text])));
    else session.push(...findSessionWords(tokens));
  }
  return { commands: fromWords(commands), unfilled };
}

function depthOf({ kind, text }: Token): number {
  if (kind !== 'sign') return 0;
  return /[({]$/.test(text) ? 1 : /[)}]$/.test(text) ? -1 : 0;
}

function splitStatements(tokens: readonly Token[]): Token[][] {
  const statements: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += depthOf(token);
    if (token.kind === 'end' && depth <= 0) statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements.filter((statement) => statement.length > 0);
}

/**
 * Converts `$session.UserAgent = "…"` and `$session.Cookies.Add((New-Object System.Net.Cookie("name", "value", "/", "host")))` to options
 * of curl.
 */
function findSessionWords(tokens: readonly Token[]): string[] {
  const [first] = tokens;
  const [name, value] = tokens.flatMap((token) => (token.kind === 'text' ? [token.text] : []));
  if (first?.kind !== 'word' || name === undefined) return [];
  if (/\.useragent$/i.test(first.text)) return ['-A', name];
  const isCookie = tokens.some((token) => token.kind === 'word' && /net\.cookie$/i.test(token.text));
  return isCookie && value !== undefined ? ['-b', `${name}=${value}`] : [];
}

/** Options of `Invoke-WebRequest` without a value, and the equivalent option of curl. */
const SWITCHES: Readonly<Record<string, readonly string[]>> = {
  '-usebasicparsing': [],
  '-skipcertificatecheck': ['--insecure'],
  '-disablekeepalive': ['--no-keepalive'],
  '-allowunencryptedauthentication': [],
  '-skipheadervalidation': [],
};

type Pairs = readonly (readonly [string, string])[];

/** Options of `Invoke-WebRequest` with a value, and the equivalent words of curl. */
const OPTIONS: Readonly<Record<string, (value: string, pairs: Pairs) => string[]>> = {
  '-uri': (value) => ['--url', value],
  '-method': (value) => ['-X', value],
  '-useragent': (value) => ['-A', value],
  '-contenttype': (value) => ['-H', `Content-Type: ${value}`],
  '-headers': (_value, pairs) => pairs.flatMap(([name, text]) => ['-H', `${name}: ${text}`]),
  '-body': (value, pairs) =>
    pairs.length > 0 ? pairs.flatMap(([name, text]) => ['--data-urlencode', `${name}=${text}`]) : ['--data-raw', value],
  '-infile': (value) => ['--data-binary', `@${value}`],
  '-timeoutsec': (value) => ['-m', value],
  '-maximumredirection': (value) => (value === '0' ? [] : ['-L', '--max-redirs', value]),
  '-websession': () => [],
  '-sessionvariable': () => [],
  '-outfile': () => [],
};

function requestWords(tokens: readonly Token[], unfilled: UnfilledPart): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < tokens.length) {
    const { kind, text } = tokens[at] ?? { kind: 'end', text: '' };
    at += 1;
    const isOption = kind === 'word' && text.startsWith('-');
    if (kind === 'text' || (kind === 'word' && !isOption)) words.push('--url', text);
    if (!isOption) continue;
    const option = text.toLowerCase().replace(/:$/, '');
    const alone = getOwn(SWITCHES, option);
    if (alone !== undefined) words.push(...alone);
    else {
      const { value, pairs, next } = readValue(tokens, at);
      at = next;
      const convert = getOwn(OPTIONS, option);
      if (convert === undefined) unfilled.push({ what: option, why: 'an unknown option' });
      else words.push(...convert(value, pairs));
    }
  }
  return words;
}

/** Reads a text, a table `@{ "name"="value" … }`, or the first text within parentheses. */
function readValue(tokens: readonly Token[], from: number): { value: string; pairs: Pairs; next: number } {
  const first = tokens[from] ?? { kind: 'end', text: '' };
  if (first.kind !== 'sign') return { value: first.text, pairs: [], next: from + 1 };
  const isTable = first.text === '@{';
  const texts: string[] = [];
  let depth = 0;
  let next = from;
  for (; next < tokens.length; next += 1) {
    const token = tokens[next] ?? first;
    depth += depthOf(token);
    if (token.kind === 'text' || (token.kind === 'word' && isTable)) texts.push(token.text);
    if (depth === 0) break;
  }
  const pairs = isTable ? texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] ?? ''] as const] : [])) : [];
  return { value: texts[0] ?? '', pairs, next: next + 1 };
}

/**
 * Groups: the end of a statement, texts in double and in single quotes, a sign, and a word. In an unquoted address, = and ; have no special
 * meaning.
 */
const TOKEN_PATTERN =
  /(\n|;(?=\s|$))|`[\t ]*\r?\n|`[^]?|\s+?|"((?:`[^]|""|[^"`])*)"?|'((?:''|[^'])*)'?|(@\{|[(){}=,])|(https?:[^\s"'`]+|[^\s"'`(){},=;]+|;)/gi;

function readTokens(text: string, unfilled: UnfilledPart): Token[] {
  return [...text.matchAll(TOKEN_PATTERN)].flatMap(([, end, double, single, sign, word]): Token[] => {
    if (end !== undefined) return [{ kind: 'end', text: '' }];
    if (double !== undefined) return [{ kind: 'text', text: readDouble(double, unfilled) }];
    if (single !== undefined) return [{ kind: 'text', text: single.replaceAll("''", "'") }];
    if (sign !== undefined) return [{ kind: 'sign', text: sign }];
    return word === undefined ? [] : [{ kind: 'word', text: word }];
  });
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

function readDouble(text: string, unfilled: UnfilledPart): string {
  return text.replaceAll(
    /`([^]?)|""|\$\(\[char\](0x[\dA-F]{1,5}|\d{1,6})\)|\$(?:env:)?([A-Za-z_]\w*)|\$\(/gi,
    (whole, escaped?: string, code?: string, variable?: string) => {
      if (escaped !== undefined) return getOwn(ESCAPES, escaped) ?? escaped;
      if (code !== undefined) return String.fromCodePoint(Math.min(0x10_ffff, Number(code)));
      if (variable !== undefined) return variableMark(variable.slice(0, 60));
      if (whole === '""') return '"';
      unfilled.push({ what: '$(…)', why: COMMAND_SUBSTITUTION_REASON });
      return whole;
    },
  );
}
