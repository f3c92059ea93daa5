import { HoldfastError } from '#core/base/errors.ts';

/**
 * Throws `COMMANDS_NOT_ALLOWED` where commands are never run: a web page cannot prove that a person has read them. `who`: what runs them,
 * as the beginning of a sentence.
 */
export function mayRunCommands(commands: readonly string[], areAllowed: boolean, who: string): void {
  if (commands.length === 0 || areAllowed) return;
  throw new HoldfastError({
    code: 'COMMANDS_NOT_ALLOWED',
    message: `${who} runs commands on this computer. Only the command line can do that.`,
    hint: 'Run it there. It shows the commands before it runs them.',
    data: { commands },
  });
}
