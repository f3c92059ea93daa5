import { HoldfastError } from '#core/base/errors.ts';

/** Throws `COMMANDS_NOT_ALLOWED` where commands are not run at all: no page can prove that a person has read them. `who`: what runs them, as the beginning of a sentence. */
export function mayRunCommands(commands: readonly string[], areAllowed: boolean, who: string): void {
  if (commands.length === 0 || areAllowed) return;
  throw new HoldfastError({
    code: 'COMMANDS_NOT_ALLOWED',
    message: `${who} runs commands on this computer, and those are run from the command line only.`,
    hint: 'Run it there: it shows the commands before it runs them.',
    data: { commands },
  });
}
