import type { Input } from './input.ts';

/** The words of a command, with its name. */
export interface ShellCommand {
  readonly words: readonly string[];
  /** What it reads from standard input; null where nothing is said of that. */
  readonly input: Input | null;
}

/** What only a shell can do, and was not done; `name` is the variable that stands in its place, left out where none does. */
export interface Unfilled {
  readonly what: string;
  readonly why: string;
  readonly name?: string;
}

/** What a text holds for a shell: words, never a command that was run. */
export interface ShellText {
  readonly commands: readonly ShellCommand[];
  readonly unfilled: readonly Unfilled[];
  /** Variables whose values were taken from what stands behind `:-` in the text. */
  readonly assumed?: ReadonlyMap<string, string>;
}

/** Commands of which nothing but the words are known. */
export function wordsOnly(commands: readonly (readonly string[])[]): ShellCommand[] {
  return commands.map((words) => ({ words, input: null }));
}

/** Stand around the name of an environment variable in a word. They are taken out of what is pasted first. */
const BEGIN = '\ue000';
const END = '\ue001';

export function variableMark(name: string): string {
  return `${BEGIN}${name}${END}`;
}

export function withoutMarks(text: string): string {
  return text.replaceAll(/[\ue000\ue001]/g, '');
}

const MARKED = /(?:\ue000|%EE%80%80)(\w{1,60})(?:\ue001|%EE%80%81)/g;

/** The names of environment variables that a word asks for. */
export function marksIn(text: string): string[] {
  return [...text.matchAll(MARKED)].map(([, name]) => name ?? '');
}

/** The word with its variables as they were written: for people to read. */
export function withNames(text: string): string {
  return text.replaceAll(MARKED, '$$$1');
}

/** The word with placeholders for its variables; also those that an address has percent-encoded. */
export function fillMarks(text: string): string {
  return text.replaceAll(MARKED, '{{$1}}');
}

/** Names of programs whose commands are read. */
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

/** Whether a text names such a program anywhere: most that are read are documents. */
export function holdsTool(text: string): boolean {
  return (
    /\b(ab|abs|apachebench|wrk2?|hey|oha|autocannon|siege|vegeta|bombardier|h2load|curl|wget)\b/i.test(text) ||
    /(?:^|[\s'"`$#>;|&(])(?:https?|xhs?)[ \t]+(?::[\d/]|[^\s:])/m.test(text)
  );
}

/** `/usr/bin/curl`, `curl.exe`: null for another program. */
export function toolNameOf(word: string): ToolName | null {
  // A word with blanks is a command of its own, but for the paths of Windows.
  if (word.includes('://') || (/\s/.test(word) && !/^[A-Za-z]:\\/.test(word))) return null;
  const name = (word.split(/[/\\]/).at(-1) ?? '').toLowerCase().replace(/\.(exe|cmd)$/, '');
  if (name === 'apachebench' || name === 'abs') return 'ab';
  if (/^(?:https?|xhs?)$/.test(name)) return 'httpie';
  return TOOL_NAMES.find((tool) => tool === name) ?? null;
}

/** Programs that start another one which is named behind them, and words of the shell that stand before a command. */
const LAUNCHERS =
  /^(time|sudo|nohup|exec|command|env|nice|ionice|taskset|timeout|stdbuf|watch|docker|podman|kubectl|oc|npx|pnpm|yarn|bunx|winpty|wsl|xargs|parallel|do|then|else|\(|\{|!|\w+=.*)$/;

export function isLauncher(word: string): boolean {
  return LAUNCHERS.test(word.split(/[/\\]/).at(-1) ?? '');
}

/** A sign, or what a shell writes before one. */
export function isPrompt(word: string): boolean {
  return /^([$#>%]|[\w.@~:/\\-]{0,60}[$#>])$/.test(word);
}

const LONGEST_BEGINNING = 300;

/** Whether a line begins with such a program, perhaps behind a prompt or one that starts it. */
export function beginsCommand(text: string): boolean {
  const [line = ''] = text.slice(0, LONGEST_BEGINNING).trimStart().split('\n', 1);
  const words = line.split(/\s+/);
  const begin = isPrompt(words[0] ?? '') ? 1 : 0;
  const first = words[begin] ?? '';
  return toolNameOf(first) !== null || (isLauncher(first) && words.slice(begin + 1).some((word) => toolNameOf(word) !== null));
}
