import { isBlock, parseJson } from '#core/base/json.ts';
import { readTags } from './readTags.ts';

/** A call in a script of a response. All its arguments are literals: the server generated the call for this response. */
export interface ServerCall {
  readonly name: string;
  readonly args: readonly unknown[];
  /** Source text of the call. */
  readonly text: string;
}

const MAX_CHARACTERS = 262_144;
const MAX_CALL_CHARACTERS = 2_000;
/** Maximum number of possible calls that are examined in a response. */
const MAX_LOOKED_AT = 500;
const MAX_CALLS = 100;
const MAX_DEPTH = 4;
const CALL_BEGIN_PATTERN =
  /(?<![\w$.])(?!(?:if|for|while|switch|catch|function|return|with)\b)([A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){0,6})\(/g;
const TAG_PATTERN = /<[a-z!][^<>]{0,1000}>/i;
/** Elements whose text is not shown on the page. */
const UNSEEN_TEXT_TAGS = new Set(['script', 'style', 'template', 'noscript', 'title']);

/**
 * Finds the calls in a response that consists of scripts: a script alone, a script in a JSON member, or a page without visible text. With
 * `isAnyPage`, it also searches pages with visible text. Returns at most 100 calls, from the first 262,144 characters.
 */
export function serverCalls(text: string, { isAnyPage = false } = {}): ServerCall[] {
  const calls: ServerCall[] = [];
  let lookedAt = 0;
  for (const script of listScripts(text.slice(0, MAX_CHARACTERS), isAnyPage))
    for (const match of script.matchAll(CALL_BEGIN_PATTERN)) {
      if ((lookedAt += 1) > MAX_LOOKED_AT || calls.length >= MAX_CALLS) return calls;
      const [begin, name = ''] = match;
      const found = readArguments(script.slice(match.index + begin.length, match.index + begin.length + MAX_CALL_CHARACTERS));
      if (found !== null) calls.push({ name, args: found.args, text: `${begin}${found.text})` });
    }
  return calls;
}

function listScripts(text: string, isAnyPage: boolean): string[] {
  if (/^\s*[{[]/.test(text)) return listStrings(parseJson(text), MAX_DEPTH).filter((one) => one.includes('('));
  return TAG_PATTERN.test(text) ? scriptsOfPage(text, isAnyPage) : [text];
}

function listStrings(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0) return [];
  const members = Array.isArray(value) ? value : isBlock(value) ? Object.values(value) : [];
  return members.flatMap((member: unknown) => listStrings(member, depth - 1));
}

function scriptsOfPage(html: string, isAnyPage: boolean): string[] {
  const scripts: string[] = [];
  let unseen: string | null = null;
  let hasWords = false;
  readTags(html, {
    wants: () => true,
    open: (tag) => {
      if (UNSEEN_TEXT_TAGS.has(tag)) unseen ??= tag;
      if (tag === 'script') scripts.push('');
    },
    close: (tag) => {
      if (tag === unseen) unseen = null;
    },
    text: (text) => {
      if (unseen === 'script') scripts.push(`${scripts.pop() ?? ''}${text}`);
      else if (unseen === null) hasWords ||= /[\p{L}\p{N}]/u.test(text);
    },
  });
  return hasWords && !isAnyPage ? [] : scripts;
}

/** Parses the arguments up to the closing bracket of the call; null if they are not a list of literals. */
function readArguments(script: string): { readonly args: unknown[]; readonly text: string } | null {
  let json = '';
  let depth = 0;
  for (let at = 0; at < script.length; at += 1) {
    const letter = script.charAt(at);
    if (letter === '"' || letter === "'") {
      const end = endOfString(script, at);
      json += jsonString(script.slice(at + 1, end));
      at = end;
    } else if (letter === ')' && depth === 0) {
      const args = parseJson(`[${json}]`);
      return Array.isArray(args) ? { args, text: script.slice(0, at) } : null;
    } else {
      if (letter === '(' || letter === ')' || letter === ';') return null;
      depth += '[{'.includes(letter) ? 1 : ']}'.includes(letter) ? -1 : 0;
      json += letter;
    }
  }
  return null;
}

function endOfString(script: string, begin: number): number {
  const quote = script.charAt(begin);
  let at = begin + 1;
  while (at < script.length && script.charAt(at) !== quote) at += script.charAt(at) === '\\' ? 2 : 1;
  return at;
}

/** Converts the content of a script's string to a JSON string. */
function jsonString(inside: string): string {
  const written = inside.replaceAll(/\\x([\da-f]{2})|\\(.)|"/gi, (all: string, code?: string, letter?: string) => {
    if (code !== undefined) return `\\u00${code}`;
    if (all === '"') return '\\"';
    return letter !== undefined && 'bfnrtu"\\/'.includes(letter) ? all : (letter ?? '');
  });
  return `"${written}"`;
}
