import type { Input } from './input.ts';

export interface ShellCommand {
  readonly words: readonly string[];
  /** Standard input; null if the text does not define it. */
  readonly input: Input | null;
}

/** A part of a text that only a shell can evaluate. `name` is the variable that takes its place, if there is one. */
export interface UnfilledPart {
  readonly what: string;
  readonly why: string;
  readonly name?: string;
}

/** The commands of a text. They are never run. */
export interface ShellText {
  readonly commands: readonly ShellCommand[];
  readonly unfilled: readonly UnfilledPart[];
  /** Variables whose defaults after `:-` were used, with these values. */
  readonly assumed?: ReadonlyMap<string, string>;
}

export function fromWords(commands: readonly (readonly string[])[]): ShellCommand[] {
  return commands.map((words) => ({ words, input: null }));
}

/** Begins a mark around the name of an environment variable in a word. These letters are first removed from pasted text. */
const MARK_BEGIN = '\ue000';
const MARK_END = '\ue001';

export function variableMark(name: string): string {
  return `${MARK_BEGIN}${name}${MARK_END}`;
}

export function removeMarks(text: string): string {
  return text.replaceAll(/[\ue000\ue001]/g, '');
}

const MARKED_VARIABLE_PATTERN = /(?:\ue000|%EE%80%80)(\w{1,60})(?:\ue001|%EE%80%81)/g;

/** Returns the names of the environment variables in a word. */
export function findMarks(text: string): string[] {
  return [...text.matchAll(MARKED_VARIABLE_PATTERN)].map(([, name]) => name ?? '');
}

/** Returns a word with its variables as `$NAME`, for people. */
export function replaceMarksByNames(text: string): string {
  return text.replaceAll(MARKED_VARIABLE_PATTERN, '$$$1');
}

/** Returns a word with placeholders for its variables, which may be percent-encoded in an address. */
export function fillMarks(text: string): string {
  return text.replaceAll(MARKED_VARIABLE_PATTERN, '{{$1}}');
}

export const TOOL_NAMES = [
  'ab',
  'wrk',
  'wrk2',
  'hey',
  'oha',
  'autocannon',
  'siege',
  'vegeta',
  'bombardier',
  'h2load',
  'curl',
  'wget',
  'httpie',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Returns whether a text contains the name of a tool. This fast check comes first, because most imported texts are documents. */
export function holdsTool(text: string): boolean {
  return (
    /\b(ab|abs|apachebench|wrk2?|hey|oha|autocannon|siege|vegeta|bombardier|h2load|curl|wget)\b/i.test(text) ||
    /(?:^|[\s'"`$#>;|&(])(?:https?|xhs?)[ \t]+(?::[\d/]|[^\s:])/m.test(text)
  );
}

/** Returns the tool for a word such as `/usr/bin/curl` or `curl.exe`; null for other programs. */
export function readToolName(word: string): ToolName | null {
  // A word with spaces is a command of its own, except for paths of Windows.
  if (word.includes('://') || (/\s/.test(word) && !/^[A-Za-z]:\\/.test(word))) return null;
  const name = (word.split(/[/\\]/).at(-1) ?? '').toLowerCase().replace(/\.(exe|cmd)$/, '');
  if (name === 'apachebench' || name === 'abs') return 'ab';
  if (/^(?:https?|xhs?)$/.test(name)) return 'httpie';
  return TOOL_NAMES.find((tool) => tool === name) ?? null;
}

/** Matches programs that start another program, and shell keywords before a command. */
const LAUNCHER_PATTERN =
  /^(time|sudo|nohup|exec|command|env|nice|ionice|taskset|timeout|stdbuf|watch|docker|podman|kubectl|oc|npx|pnpm|yarn|bunx|winpty|wsl|xargs|parallel|do|then|else|\(|\{|!|\w+=.*)$/;

export function isLauncher(word: string): boolean {
  return LAUNCHER_PATTERN.test(word.split(/[/\\]/).at(-1) ?? '');
}

/** Returns whether a word is a prompt: a sign such as `$`, perhaps after a host or a folder. */
export function isPrompt(word: string): boolean {
  return /^([$#>%]|[\w.@~:/\\-]{0,60}[$#>])$/.test(word);
}

const MAX_BEGINNING_LENGTH = 300;

/** Returns whether a line begins with a tool, perhaps after a prompt or a launcher. */
export function beginsCommand(text: string): boolean {
  const [line = ''] = text.slice(0, MAX_BEGINNING_LENGTH).trimStart().split('\n', 1);
  const words = line.split(/\s+/);
  const begin = isPrompt(words[0] ?? '') ? 1 : 0;
  const first = words[begin] ?? '';
  return readToolName(first) !== null || (isLauncher(first) && words.slice(begin + 1).some((word) => readToolName(word) !== null));
}
