import { getOwn } from '#core/ownMembers.ts';
import { lastLineOfQuotes } from './quotedLines.ts';
import { beginsCommand, isPrompt, TOOL_NAMES } from './shellText.ts';

/**
 * What was typed, of a text that was copied from a page, a wiki, a mail or a terminal: without tags, code fences, bullets and prompts. What stands
 * between quotes of a shell is not touched but where the whole text was written for HTML.
 */
export function asTyped(pasted: string): string {
  const unfenced = outsideQuotes(withoutEntities(pasted), (line) => (FENCE.test(line) ? [] : [line]));
  return outsideQuotes(withoutTicks(unfenced), (line) => [withoutPrompt(line)]);
}

const MARKUP = /^\s*<(pre|code|p|div|span|tt|kbd|samp|blockquote|ul|ol|li|td|b|i|em|strong|br|a)\b/i;
const TAG = /<\/?[a-z][a-z\d]{0,15}(?:\s[^<>]{0,500})?\/?>/gi;

/** The text of a piece of a page, with the blanks around it; null for what is none. */
export function textOfMarkup(pasted: string): string | null {
  if (!MARKUP.test(pasted)) return null;
  return decoded(pasted.replaceAll(/<br\s?\/?>|<\/(?:p|div|li|tr|pre)>/gi, '\n').replaceAll(TAG, ''));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#34': '"',
  '#39': "'",
  '#039': "'",
  '#x27': "'",
  '#x22': '"',
  nbsp: ' ',
  '#160': ' ',
  ndash: '–',
  mdash: '—',
  ldquo: '“',
  rdquo: '”',
  lsquo: '‘',
  rsquo: '’',
};
const ENTITY = /&(#?\w{2,6});/g;

function decoded(text: string): string {
  return text.replaceAll(ENTITY, (whole, name: string) => getOwn(ENTITIES, name) ?? whole);
}

/** Only of a text that was written for HTML as a whole: where & or < stand by themselves, or quotes beside entities, it was not. */
function withoutEntities(text: string): string {
  if (!text.includes('&') || text.includes('<') || text.replaceAll(ENTITY, '').includes('&')) return text;
  const isAddress = /https?:\/\/[^\s'"]{1,2000}&amp;/.test(text);
  return isAddress || (/&(?:quot|apos|#0?39|#x27|nbsp|ndash|mdash|[lr][sd]quo|gt|lt);/.test(text) && !/['"]/.test(text))
    ? decoded(text)
    : text;
}

const FENCE = /^\s*(?:```|~~~|\{\{\{|\}\}\}|\{(?:code|noformat)(?::[^}]{0,40})?\})\s*[\w-]{0,20}\s*$/;

function withoutTicks(text: string): string {
  const [, inside] = /^\s*`{1,3}([^`]+)`{1,3}\s*$/.exec(text) ?? [];
  return inside ?? text;
}

/** `$`, `user@host:~$`, `[user@host dir]#`, `PS C:\>`, `C:\dir>`, `(env)`, `➜  dir`, `bash-5.1$`; bullets and numbers of lists; `!` of notebooks. */
const PROMPTS: readonly RegExp[] = [
  /^\([\w.-]{1,40}\)\s+/,
  /^\[[^\]]{1,80}\]\s?[$#%>]\s*/,
  /^[\w.-]{1,40}@[\w.-]{1,60}[^$#%>]{0,80}[$#%>]\s*/,
  /^(?:PS )?[A-Za-z]:\\[^>"]{0,120}>\s*/,
  /^PS>\s*/,
  /^[➜❯λ»›]\s+/u,
  /^[\w.-]{1,20}[$#%]\s+/,
  /^[$#%>&]\s*/,
  /^[*•·-]\s+/u,
  /^\d{1,2}[.)]\s+/,
  /^!\s?/,
];
/** What shells that are dressed up put behind the sign: a folder, a branch. */
const BEHIND_SIGN = /^[➜❯λ»›]\s+[\w./~-]{1,60}\s+(?:git:\([^)]{1,60}\)\s+)?(?:[✗✓]\s+)?/u;
/** As Windows writes the path of a program that is not in its PATH. */
const WINDOWS_PATH = new RegExp(
  String.raw`^(?:[A-Za-z]:|\.{1,2})\\(?:[^\s"\\]{1,80}\\){0,12}(${TOOL_NAMES.join('|')})(?:\.exe)?(?=\s)`,
  'i',
);
const LONGEST_PROMPT_LINE = 20_000;
const MOST_SIGNS = 4;

function withoutPrompt(line: string): string {
  if (line.length > LONGEST_PROMPT_LINE) return line;
  let rest = line.trimStart();
  for (let signs = 0; signs < MOST_SIGNS; signs += 1) {
    const typed = rest.replace(WINDOWS_PATH, '$1');
    if (isCommand(typed)) return typed;
    const dressed = rest.replace(BEHIND_SIGN, '');
    if (dressed !== rest && isCommand(dressed)) return dressed;
    const prompt = PROMPTS.find((one) => one.test(rest));
    if (prompt === undefined) return line;
    rest = rest.replace(prompt, '');
  }
  return line;
}

/** Changes each line but those that go on between quotes of a command. */
function outsideQuotes(text: string, change: (line: string) => readonly string[]): string {
  const lines = text.split('\n');
  const changed: string[] = [];
  let isOfCommand = false;
  let closes = true;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    changed.push(...change(line));
    isOfCommand = isCommand(withoutPrompt(line)) || (isOfCommand && GOES_ON.test(lines[at - 1] ?? ''));
    if (!isOfCommand || !closes) continue;
    const last = lastLineOfQuotes(lines, at);
    // Where one quote is never closed, nobody can tell what the others hold.
    closes = last !== null;
    changed.push(...lines.slice(at + 1, (last ?? at) + 1));
    at = last ?? at;
  }
  return changed.join('\n');
}

/** As shells of Unix, of Windows and PowerShell break a command. */
const GOES_ON = /[\\^`]\s*$/;

function isCommand(text: string): boolean {
  return beginsCommand(text) && !isPrompt(text.slice(0, 80).split(/\s/, 1)[0] ?? '');
}
