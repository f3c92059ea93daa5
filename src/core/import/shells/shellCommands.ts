import { parseJson } from '#core/base/json.ts';
import { entriesAt, textAt } from '../reading.ts';
import { posixCommands } from './posix.ts';
import { holdsWebRequest, looksLikePowerShell, powerShellCommands } from './powerShell.ts';
import {
  beginsCommand,
  holdsTool,
  isLauncher,
  isPrompt,
  type ShellText,
  type ToolName,
  readToolName,
  removeMarks,
  fromWords,
} from './shellText.ts';
import type { Input } from './input.ts';
import { beginsLoop } from './findLoops.ts';
import { type LoopReading, NO_LOOP, readLoop } from './loops.ts';
import { toTypedText } from './typed.ts';

/**
 * Matches a piece of a line for cmd: quoted text, which has no carets; line breaks and letters after a caret; the end of a command; other
 * letters.
 */
const CMD_PIECE_PATTERN = /"[^"]*"?|\^\r?\n(\r?\n)?|\^([^]?)|(&&|&(?=\s|$))|[^"^&]+|&/g;

/**
 * Splits a text into the words of its commands for cmd on Windows, as browsers copy them. `^` makes the next letter literal. The rest is
 * split by the rules for program arguments (quotes, `\"`).
 */
function cmdCommands(text: string): ShellText {
  const lines = [''];
  for (const [piece, secondBreak, literal, end] of text.matchAll(CMD_PIECE_PATTERN)) {
    if (end !== undefined) lines.push('');
    // Two line breaks after a caret mean one literal line break.
    else lines.push(`${lines.pop() ?? ''}${piece.startsWith('^') ? (literal ?? (secondBreak === undefined ? '' : '\n')) : piece}`);
  }
  return { commands: fromWords(lines.map(splitArguments).filter((words) => words.length > 0)), unfilled: [] };
}

function splitArguments(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const [escaped] = /^(?:\\\\(?=\\*")|\\")/.exec(line.slice(at, at + 40)) ?? [];
    const letter = escaped?.at(-1) ?? line.charAt(at);
    const isPair = isQuoted && letter === '"' && line.charAt(at + 1) === '"';
    if (escaped !== undefined || isPair) {
      word = (word ?? '') + letter;
      at += 1;
    } else if (letter === '"') {
      isQuoted = !isQuoted;
      word ??= '';
    } else if (!isQuoted && /\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + letter;
  }
  return word === null ? words : [...words, word];
}

const MAX_LINE_LENGTH = 20_000;
/** Matches text between backticks, asterisks or quotes in a sentence. */
const QUOTED_COMMAND_PATTERN = /(?:`{1,3}|\*\*|["“‘'])([^`*"“”‘’]{5,2000})(?:`{1,3}|\*\*|["”’'])/g;
/** Matches a program followed by an option or an address. The name alone may be an ordinary word. */
const COMMAND_IN_SENTENCE_PATTERN =
  /(?:^|[\s(:>,;"'“‘`])((?:[\w./~-]{0,60}\/)?(?:ab|abs|wrk2?|hey|oha|autocannon|siege|bombardier|h2load|curl|wget)(?:\.exe)?\s+(?:-{1,2}[A-Za-z]|["']?https?:\/\/).{1,5000})/;

/** Returns the commands within sentences, one for each line. */
function commandsInProse(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.length > MAX_LINE_LENGTH || !holdsTool(line)) return [];
    const marked = [...line.matchAll(QUOTED_COMMAND_PATTERN)].map(([, inside = '']) => inside.trim());
    const commands = marked.filter((inside) => beginsCommand(inside) && /\s-{1,2}[A-Za-z]|https?:\/\//.test(inside));
    if (commands.length > 0) return commands;
    const [, found] = COMMAND_IN_SENTENCE_PATTERN.exec(line) ?? [];
    return found === undefined ? [] : [cutAtSentence(found)];
  });
}

/** Removes the rest of the sentence after the address: words that are neither options nor their values. */
function cutAtSentence(text: string): string {
  const words = text.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  const address = words.findIndex((word) => /^["']?https?:\/\//i.test(word));
  if (address < 0) return text;
  let end = address + 1;
  const isOption = (index: number): boolean => words[index]?.startsWith('-') === true;
  while (end < words.length && (isOption(end) || (isOption(end - 1) && end - 1 > address))) end += 1;
  return words
    .slice(0, end)
    .map((word, index) => (index === end - 1 ? word.replace(/[.,;:!?)”’]+$/, '') : word))
    .join(' ');
}

/** Converts `fetch("address", {…})`, as browsers copy it, to an equivalent curl command; null for other texts. */
function fetchCommands(text: string): ShellText | null {
  const call = /^(?:await\s+)?fetch\(/.exec(text);
  if (call === null) return null;
  const end = text.lastIndexOf(')');
  const given = parseJson(`[${text.slice(call[0].length, end < 0 ? text.length : end)}]`);
  const url = textAt(given, 0);
  if (url === null) return null;
  const [method, body, referrer] = ['method', 'body', 'referrer'].map((name) => textAt(given, 1, name) ?? undefined);
  const headers = entriesAt(given, 1, 'headers').flatMap(([name, value]) => (typeof value === 'string' ? ['-H', `${name}: ${value}`] : []));
  const words = [
    'curl',
    '--url',
    url,
    ...(method === undefined ? [] : ['-X', method]),
    ...headers,
    ...(referrer === undefined || referrer === '' ? [] : ['-e', referrer]),
    ...(body === undefined ? [] : ['--data-raw', body]),
  ];
  return { commands: fromWords([words]), unfilled: [] };
}

export interface ToolCommand {
  readonly tool: ToolName;
  /** The name in the command, if the tool has several names. */
  readonly name?: string;
  readonly words: readonly string[];
  /** The words before the name: `time`, `sudo`, `docker run image`. For a variable assignment, only its name. */
  readonly before: readonly string[];
  readonly input: Input | null;
}

export interface ToolCommands {
  readonly commands: readonly ToolCommand[];
  /** Names of other programs, or of the variables set before them. */
  readonly others: readonly string[];
  readonly unfilled: ShellText['unfilled'];
  /** Defaults after `:-` that were used, by the names of their variables. */
  readonly assumed: ReadonlyMap<string, string>;
  /** The loop that repeats the commands. */
  readonly loop: LoopReading;
}

const MAX_WORDS_BEFORE_TOOL = 40;

export const NO_COMMANDS: ToolCommands = { commands: [], others: [], unfilled: [], assumed: new Map(), loop: NO_LOOP };

/** Returns the commands of a text for any shell. If there are none, returns the commands within sentences. */
export function shellCommands(pasted: string): ToolCommands {
  if (!holdsTool(pasted) && !holdsWebRequest(pasted) && !/fetch\(/.test(pasted.slice(0, 200))) return NO_COMMANDS;
  const typed = toTypedText(removeMarks(pasted)).trim();
  const loop = readLoop(typed, countCommands);
  const text = loop.kind === 'read' ? loop.text : typed;
  const found = toolCommands(fetchCommands(text) ?? parseForShell(text), loop);
  if (found.commands.length > 0) return found;
  const lines = commandsInProse(text);
  if (lines.length === 0) return found;
  const inProse = toolCommands(parseForShell(lines.join('\n')), loop);
  return { ...inProse, unfilled: [...inProse.unfilled, { what: 'text', why: 'text around the command' }] };
}

function countCommands(text: string): number {
  return toolCommands(parseForShell(text), NO_LOOP).commands.length;
}

/** Reads a text in quotes that is a command of its own. */
function readNested(text: string): ToolCommands {
  const loop = readLoop(text, countCommands);
  return toolCommands(posixCommands(loop.kind === 'read' ? loop.text : text), loop);
}

function toolCommands({ commands, unfilled, assumed = new Map() }: ShellText, around: LoopReading): ToolCommands {
  let loop = around;
  const found: ToolCommand[] = [];
  const others: string[] = [];
  const more = [...unfilled];
  for (const { words, input } of commands) {
    const at = placeOfTool(words);
    const tool = at < 0 ? null : readToolName(words[at] ?? '');
    const typed = words.filter((word) => !/^[$#>%]$/.test(word));
    const quoted = findQuotedCommand(words);
    if (tool !== null && (tool !== 'httpie' || words.slice(at + 1).some(looksLikeAddress))) {
      const before = words.slice(0, at).filter((word, index) => index > 1 || typed.includes(word));
      found.push({ tool, name: words[at] ?? '', words: words.slice(at + 1), before: before.map(cutValue), input });
    } else if (quoted !== null) {
      const innerCommands = readNested(words[quoted] ?? '');
      if (loop.kind === 'none') ({ loop } = innerCommands);
      const before = words.slice(0, quoted).map(cutValue);
      found.push(...innerCommands.commands.map((one) => ({ ...one, before: [...before, ...one.before], input: one.input ?? input })));
      others.push(...innerCommands.others);
      more.push(...innerCommands.unfilled);
    } else if (typed[0] !== undefined) others.push(cutValue(typed[0]).slice(0, 40));
  }
  return { commands: found, others, unfilled: more, assumed, loop };
}

/** Returns whether a word is an address. `http` is an ordinary word in many sentences, so as a command it needs an address. */
export function looksLikeAddress(word: string): boolean {
  return /^(?:https?:\/\/|:\d|:?\/|localhost(?:[:/]|$)|[\w-]+(?:\.[\w-]+)+(?:[:/?]|$))/i.test(word);
}

/** Matches programs that run a command given as one word. */
const NESTED_COMMAND_PATTERN =
  /^((ba|z|da|k|a)?sh|ssh|su|docker|podman|kubectl|oc|sudo|wsl|cmd|pwsh|powershell|watch|timeout|time|xargs|parallel|nohup|eval|exec|tmux|screen|vagrant|heroku|lxc|hyperfine)(\.exe)?$/;

/** Returns the position of a word that is a command itself: `sh -c 'ab …'`, `ssh host "ab …"`, `"ab …"`; null if there is none. */
function findQuotedCommand(words: readonly string[]): number | null {
  const at = words.slice(0, MAX_WORDS_BEFORE_TOOL).findIndex((word) => /\s/.test(word) && (beginsCommand(word) || beginsLoop(word)));
  if (at < 0) return null;
  const isHanded = at === 0 || words.slice(0, at).some((word) => NESTED_COMMAND_PATTERN.test(word.split('/').at(-1) ?? ''));
  return isHanded ? at : null;
}

/** Returns only the name of an assignment such as `PASSWORD=…`: the value must not be shown. */
function cutValue(word: string): string {
  return word.split('=', 1)[0] ?? '';
}

function parseForShell(text: string): ShellText {
  // Between single quotes of a POSIX shell, ^ and ` have no special meaning.
  const unquoted = text.replaceAll(String.raw`\'`, '').replaceAll(/'[^']*'/g, '');
  if (holdsWebRequest(text) || looksLikePowerShell(unquoted)) return powerShellCommands(text);
  return /\^["'&]|\^\r?\n/.test(unquoted) ? cmdCommands(text) : posixCommands(text);
}

function placeOfTool(words: readonly string[]): number {
  // A prompt may precede the command: $ or user@host:~$
  const first = words.findIndex((word, index) => index > 1 || !isPrompt(word));
  if (first < 0) return -1;
  if (readToolName(words[first] ?? '') !== null) return first;
  if (!isLauncher(words[first] ?? '')) return -1;
  let at = words.slice(first, first + MAX_WORDS_BEFORE_TOOL).findIndex((word) => readToolName(word) !== null);
  if (at < 0) return -1;
  // An image may have the name of the tool in it: docker run jordi/ab ab …
  while (readToolName(words[first + at + 1] ?? '') !== null) at += 1;
  return first + at;
}
