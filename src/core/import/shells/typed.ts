import { parseJson } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { listAt } from '../reading.ts';
import { endOfDocument } from './input.ts';
import { beginsCommand, holdsTool, isPrompt, TOOL_NAMES } from './shellText.ts';

/** Matches the text up to the first line break outside quotes. In bash's `$'`, a backslash escapes a quote. */
const QUOTED_LINES_PATTERN = /(?:\$'(?:\\[^]|[^'\\])*'|'[^']*'|"(?:\\[^]|[^"\\])*"|\\[^\n]?|(?<!\S)#[^\n]*|#|[^'"\\#\n])*/y;

/**
 * Returns the number of further lines that belong to the quotes of the line at `from` of a POSIX command; null if a quote is never closed.
 */
function linesInQuotes(text: string, from: number): number | null {
  QUOTED_LINES_PATTERN.lastIndex = from;
  const [read = ''] = QUOTED_LINES_PATTERN.exec(text) ?? [];
  const isClosed = /^\n?$/.test(text.charAt(from + read.length));
  return isClosed ? read.split('\n').length - 1 : null;
}

/**
 * Returns what somebody typed, from text copied from a page, a wiki, a mail or a terminal, without tags, code fences, bullets and prompts.
 * Keeps text between shell quotes, unless the whole text is encoded for HTML.
 */
export function toTypedText(pasted: string): string {
  const unfenced = mapOutsideQuotes(decodeEntities(pasted), (line) =>
    FENCE_PATTERN.test(line) ? [] : splitGlued(line).flatMap(parseCells),
  );
  return mapOutsideQuotes(stripBackticks(unfenced), (line) => [unwrapLinks(stripPrompt(line))]);
}

const MARKUP_PATTERN = /^\s*<(pre|code|p|div|span|tt|kbd|samp|blockquote|ul|ol|li|td|b|i|em|strong|br|a)\b/i;
const TAG_PATTERN = /<\/?[a-z][a-z\d]{0,15}(?:\s[^<>]{0,500})?\/?>/gi;

/** Returns the text of HTML, with the spaces around it; null for other texts. */
export function textOfMarkup(pasted: string): string | null {
  if (!MARKUP_PATTERN.test(pasted)) return null;
  return decode(pasted.replaceAll(/<br\s?\/?>|<\/(?:p|div|li|tr|pre)>/gi, '\n').replaceAll(TAG_PATTERN, ''));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  ldquo: '“',
  rdquo: '”',
  lsquo: '‘',
  rsquo: '’',
};
const ENTITY_PATTERN = /&(#?\w{2,6});/g;
/** Matches the character codes of quotes and a no-break space. */
const CHARACTER_CODE_PATTERN = /^#(?:0*(34|39|160)|x0*(22|27|a0))$/i;

function decode(text: string): string {
  return text.replaceAll(ENTITY_PATTERN, (whole, name: string) => {
    const [, decimal, hex] = CHARACTER_CODE_PATTERN.exec(name) ?? [];
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return getOwn(ENTITIES, name) ?? (Number.isNaN(code) ? whole : String.fromCharCode(code).replace('\u00a0', ' '));
  });
}

/** Decodes character references if the whole text is encoded for HTML: it has no bare & or < and, beside references, no quotes. */
function decodeEntities(text: string): string {
  if (!text.includes('&') || text.includes('<') || text.replaceAll(ENTITY_PATTERN, '').includes('&')) return text;
  const isAddress = /https?:\/\/[^\s'"]{1,2000}&amp;/.test(text);
  return isAddress || (/&(?:quot|apos|#0?39|#x27|nbsp|ndash|mdash|[lr][sd]quo|gt|lt);/.test(text) && !/['"]/.test(text))
    ? decode(text)
    : text;
}

/** Matches the position before output, a prompt or a command that follows without a line break. */
const JOINED_WORDS_PATTERN =
  /(?<=\S)(?=This is ApacheBench, Version|Running \d+\w* test @|[\w.-]{1,40}@[\w.-]{1,60}:[~/]\S{0,80}[$#](?:\s|$))|(?<=https?:\/\/[^\s"'`]{1,500}\/)(?=(?:ab|wrk2?|hey|oha|autocannon)\s+-\S{1,40}\s.{0,2000}https?:\/\/)/;

function splitGlued(line: string): string[] {
  return line.length > MAX_PROMPT_LINE_LENGTH || !isCommand(stripPrompt(line)) ? [line] : line.split(JOINED_WORDS_PATTERN);
}

/** Returns the cells of a table row that are commands; any other line unchanged. */
function parseCells(line: string): string[] {
  if (!/^\s*\|.*\|\s*$/.test(line) || line.length > MAX_PROMPT_LINE_LENGTH) return [line];
  return line
    .split(/(?<!\\)\|/)
    .map((cell) => stripBackticks(cell.replaceAll('\\|', '|').trim()))
    .filter((cell) => /\s/.test(cell) && isCommand(stripPrompt(cell)));
}

/** Replaces Markdown links `[http://a.example/](http://a.example/)` with their addresses. */
function unwrapLinks(line: string): string {
  return line.replaceAll(/(?<=^|\s)\[[^\]\s]{1,2000}\]\((https?:\/\/[^()\s]{1,2000})\)(?=\s|$)/g, '$1');
}

const FENCE_PATTERN = /^\s*(?:```|~~~|\/\*+|\*+\/|<!--|-->|\{\{\{|\}\}\}|\{(?:code|noformat)(?::[^}]{0,40})?\})\s*[\w-]{0,20}\s*$/;

function stripBackticks(text: string): string {
  const [, content] = /^\s*`{1,3}([^`]+)`{1,3}\s*$/.exec(text) ?? [];
  return content ?? text;
}

/**
 * Matches prompts (`$`, `user@host:~$`, `host:dir user$`, `[user@host dir]#`, `PS C:\>`, `C:\dir>`, `(env)`, `➜  dir`, `bash-5.1$`). Also
 * matches bullets and numbers of lists, `!` of notebooks, comment signs, keys of YAML and JSON, and words of a Dockerfile and a Makefile.
 */
const PROMPT_PATTERNS: readonly RegExp[] = [
  /^\([\w.-]{1,40}\)\s+/,
  /^\[[^\]]{1,80}\]\s?[$#%>]\s*/,
  /^[\w.-]{1,40}@[\w.-]{1,60}[^$#%>]{0,80}[$#%>]\s*/,
  /^(?:PS )?[A-Za-z]:\\[^>"]{0,120}>\s*/,
  /^PS>\s*/,
  /^[➜❯λ»›]\s+/u,
  /^[\w.-]{1,60}:[^\s$#%>]{0,80}\s[\w.-]{1,40}[$#%]\s+/,
  /^[\w.-]{1,20}[$#%]\s+/,
  /^[$#%>&]\s*/,
  /^[*•·-]\s+/u,
  /^\d{1,2}[.)]\s+/,
  /^!\s?/,
  /^(?:\/\/+|\/\*+|--|;+|REM|::)\s+/i,
  /^["']?\p{L}[\w .-]{0,40}["']?\s?:\s+/u,
  /^(?:RUN|CMD|ENTRYPOINT)\s+/,
  /^@(?=\w)/,
];
/** Matches a folder and a branch after the prompt sign, as shell themes add them. */
const AFTER_PROMPT_PATTERN = /^[➜❯λ»›]\s+[\w./~-]{1,60}\s+(?:git:\([^)]{1,60}\)\s+)?(?:[✗✓]\s+)?/u;
/** Matches the path of a tool on Windows. */
const WINDOWS_PATH_PATTERN = new RegExp(
  String.raw`^(?:[A-Za-z]:|\.{1,2})\\(?:[^\s"\\]{1,80}\\){0,12}(${TOOL_NAMES.join('|')})(?:\.exe)?(?=\s)`,
  'i',
);
/** Matches a comment that ends on its line. */
const COMMENT_PATTERN = /^(?:\/\*+|<!--)\s*(\S.*?)\s*(?:\*+\/|-->)\s*$/;
const MAX_PROMPT_LINE_LENGTH = 20_000;
const MAX_PROMPTS = 4;

function stripPrompt(line: string): string {
  if (line.length > MAX_PROMPT_LINE_LENGTH) return line;
  let rest = line.trimStart();
  for (let signs = 0; signs < MAX_PROMPTS; signs += 1) {
    rest = COMMENT_PATTERN.exec(rest)?.[1] ?? rest;
    const typed = rest.replace(WINDOWS_PATH_PATTERN, '$1');
    if (isCommand(typed)) return typed;
    const nestedScript = findNestedScript(rest);
    if (nestedScript !== null) return nestedScript;
    const withoutPrompt = rest.replace(AFTER_PROMPT_PATTERN, '');
    if (withoutPrompt !== rest && isCommand(withoutPrompt)) return withoutPrompt;
    const prompt = PROMPT_PATTERNS.find((one) => one.test(rest));
    if (prompt === undefined) return line;
    rest = rest.replace(prompt, '');
  }
  return line;
}

/** Returns a command that is a value of YAML or JSON: in quotes, or a list of its words; null for other texts. */
function findNestedScript(text: string): string | null {
  const value = text.trimEnd().replace(/,$/, '');
  const [, quote = '', inside = ''] = /^(["'])(.*)\1$/.exec(value) ?? [];
  const unquoted = quote === '"' ? inside.replaceAll('\\"', '"') : inside.replaceAll("''", "'");
  if (quote !== '' && !/(?<!\\)["]/.test(quote === '"' ? inside : '') && isCommand(unquoted)) return unquoted;
  const words = /^\[\s*".*\]$/.test(value) ? listAt(parseJson(value)) : [];
  if (words.length === 0 || !words.every((word) => typeof word === 'string')) return null;
  const line = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ');
  return holdsTool(line) ? line : null;
}

/** Changes each line, except for lines within quotes or here-documents of a command. */
function mapOutsideQuotes(text: string, change: (line: string) => readonly string[]): string {
  const lines = text.split('\n');
  const changed: string[] = [];
  let isOfCommand = false;
  let closes = true;
  let offset = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    changed.push(...change(line));
    isOfCommand = isCommand(stripPrompt(line)) || (isOfCommand && LINE_CONTINUATION_PATTERN.test(lines[at - 1] ?? ''));
    const end = isOfCommand || /<<-?\s*['"\\]?[A-Za-z_]/.test(line) ? endOfDocument(line) : null;
    const quoted: number | null = isOfCommand && closes && end === null ? linesInQuotes(text, offset) : 0;
    const found = end === null ? -1 : lines.slice(at + 1).findIndex((one) => one.trim() === end);
    const keptLines = end === null ? (quoted ?? 0) : found < 0 ? lines.length : found + 1;
    // After an unclosed quote, later quotes are ambiguous.
    closes &&= quoted !== null;
    const innerLines = lines.slice(at + 1, at + 1 + keptLines);
    changed.push(...innerLines);
    at += innerLines.length;
    offset += [line, ...innerLines].reduce((length, one) => length + one.length + 1, 0);
  }
  return changed.join('\n');
}

/** Matches a line continuation of a POSIX shell, cmd or PowerShell. */
const LINE_CONTINUATION_PATTERN = /[\\^`]\s*$/;

function isCommand(text: string): boolean {
  return beginsCommand(text) && !isPrompt(text.slice(0, 80).split(/\s/, 1)[0] ?? '');
}
