import { cmdCommands } from './cmd.ts';
import { posixCommands } from './posix.ts';
import { holdsWebRequest, looksLikePowerShell, powerShellCommands } from './powerShell.ts';
import { toolNameOf, withoutMarks, type ShellText, type ToolName } from './shellText.ts';
import { fetchCommands } from './fetchCall.ts';

/** A command of a program that is known here. */
export interface ToolCommand {
  readonly tool: ToolName;
  /** What stands behind its name. */
  readonly words: readonly string[];
  /** What stood before its name: `time`, `sudo`, `docker run image`. Of a variable that is set, its name. */
  readonly before: readonly string[];
}

export interface ToolCommands {
  readonly commands: readonly ToolCommand[];
  /** Commands of other programs, by their names or those of the variables that are set for them. */
  readonly others: readonly string[];
  readonly unfilled: ShellText['unfilled'];
}

/** Programs that start another one which is named behind them. */
const LAUNCHERS =
  /^(time|sudo|nohup|exec|command|env|nice|ionice|taskset|timeout|stdbuf|watch|docker|podman|kubectl|oc|npx|pnpm|yarn|bunx|winpty|wsl|\w+=.*)$/;
const FURTHEST = 40;

/** The commands of a text, whichever shell it was written for. */
export function shellCommands(pasted: string): ToolCommands {
  const text = withoutMarks(pasted).trim();
  const { commands, unfilled } = fetchCommands(text) ?? byShell(text);
  const found: ToolCommand[] = [];
  const others: string[] = [];
  for (const words of commands) {
    const at = placeOfTool(words);
    const tool = at < 0 ? null : toolNameOf(words[at] ?? '');
    if (tool === null) others.push(withoutValue(words[0] ?? '').slice(0, 40));
    else {
      const before = words.slice(0, at).filter((word) => !/^[$#>%]$/.test(word));
      found.push({ tool, words: words.slice(at + 1), before: before.map(withoutValue) });
    }
  }
  return { commands: found, others, unfilled };
}

/** `PASSWORD=…`: what is told of it is the name alone. */
function withoutValue(word: string): string {
  return word.split('=', 1)[0] ?? '';
}

function byShell(text: string): ShellText {
  if (holdsWebRequest(text) || looksLikePowerShell(text)) return powerShellCommands(text);
  // Between single quotes of a shell of Unix, ^ is a letter like others.
  const unquoted = text.replaceAll(String.raw`\'`, '').replaceAll(/'[^']*'/g, '');
  return /\^["'&]|\^\r?\n/.test(unquoted) ? cmdCommands(text) : posixCommands(text);
}

function placeOfTool(words: readonly string[]): number {
  // A prompt may stand before it: $ or user@host:~$
  const first = words.findIndex((word, index) => index > 1 || !/^([$#>%]|[\w.@~:/\\-]{0,60}[$#>])$/.test(word));
  if (first < 0) return -1;
  if (toolNameOf(words[first] ?? '') !== null) return first;
  if (!LAUNCHERS.test((words[first] ?? '').split(/[/\\]/).at(-1) ?? '')) return -1;
  const at = words.slice(first, first + FURTHEST).findIndex((word) => toolNameOf(word) !== null);
  return at < 0 ? -1 : first + at;
}
