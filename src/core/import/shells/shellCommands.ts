import { cmdCommands } from './cmd.ts';
import { posixCommands } from './posix.ts';
import { holdsWebRequest, looksLikePowerShell, powerShellCommands } from './powerShell.ts';
import { beginsCommand, holdsTool, isLauncher, isPrompt, toolNameOf, withoutMarks, type ShellText, type ToolName } from './shellText.ts';
import { fetchCommands } from './fetchCall.ts';
import { asTyped } from './typed.ts';

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

const FURTHEST = 40;

/** The commands of a text, whichever shell it was written for. */
export function shellCommands(pasted: string): ToolCommands {
  if (!holdsTool(pasted) && !holdsWebRequest(pasted) && !/fetch\(/.test(pasted.slice(0, 200)))
    return { commands: [], others: [], unfilled: [] };
  const text = asTyped(withoutMarks(pasted)).trim();
  const { commands, unfilled } = fetchCommands(text) ?? byShell(text);
  const found: ToolCommand[] = [];
  const others: string[] = [];
  for (const words of commands.flatMap(withinQuotes)) {
    const at = placeOfTool(words);
    const tool = at < 0 ? null : toolNameOf(words[at] ?? '');
    const typed = words.filter((word) => !/^[$#>%]$/.test(word));
    if (tool !== null)
      found.push({
        tool,
        words: words.slice(at + 1),
        before: words
          .slice(0, at)
          .filter((word) => typed.includes(word))
          .map(withoutValue),
      });
    else if (words[0] !== '#' && typed[0] !== undefined) others.push(withoutValue(typed[0]).slice(0, 40));
  }
  return { commands: found, others, unfilled };
}

/** `sh -c 'ab …'`, `ssh host "ab …"`: the command stands between quotes. */
function withinQuotes(words: readonly string[]): (readonly string[])[] {
  const quoted = words.slice(0, FURTHEST).findIndex((word, index) => index > 0 && /\s/.test(word) && beginsCommand(word));
  if (
    quoted < 0 ||
    placeOfTool(words) >= 0 ||
    !/^(ba|z|da|k)?sh$|^(ssh|su|docker|podman|kubectl|sudo|wsl|cmd)(\.exe)?$/.test(words[0]?.split('/').at(-1) ?? '')
  )
    return [words];
  return posixCommands(words[quoted] ?? '').commands.map((inside) => [...inside]);
}

/** `PASSWORD=…`: what is told of it is the name alone. */
function withoutValue(word: string): string {
  return word.split('=', 1)[0] ?? '';
}

function byShell(text: string): ShellText {
  // Between single quotes of a shell of Unix, ^ and ` are letters like others.
  const unquoted = text.replaceAll(String.raw`\'`, '').replaceAll(/'[^']*'/g, '');
  if (holdsWebRequest(text) || looksLikePowerShell(unquoted)) return powerShellCommands(text);
  return /\^["'&]|\^\r?\n/.test(unquoted) ? cmdCommands(text) : posixCommands(text);
}

function placeOfTool(words: readonly string[]): number {
  // A prompt may stand before it: $ or user@host:~$
  const first = words.findIndex((word, index) => index > 1 || !isPrompt(word));
  if (first < 0) return -1;
  if (toolNameOf(words[first] ?? '') !== null) return first;
  if (!isLauncher(words[first] ?? '')) return -1;
  const at = words.slice(first, first + FURTHEST).findIndex((word) => toolNameOf(word) !== null);
  return at < 0 ? -1 : first + at;
}
