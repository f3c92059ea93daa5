import { HoldfastError } from '#core/errors.ts';

/** Throws `COMMANDS_NOT_ALLOWED` or `COMMANDS_NEED_CONSENT`. `who`: what runs them, as the beginning of a sentence. */
export function mayRunCommands(commands: readonly string[], consented: readonly string[], areAllowed: boolean, who: string): void {
  if (commands.length === 0) return;
  if (!areAllowed)
    throw new HoldfastError({
      code: 'COMMANDS_NOT_ALLOWED',
      message: `${who} runs commands on this computer, and those are run from the command line only.`,
      hint: 'Run it there: it shows the commands before it runs them.',
      data: { commands },
    });
  const open = commands.filter((command) => !consented.includes(command));
  if (open.length > 0)
    throw new HoldfastError({
      code: 'COMMANDS_NEED_CONSENT',
      message: `${who} runs commands on this computer that nobody has confirmed.`,
      hint: 'Read them, and confirm each if you want it to be run.',
      data: { commands: open },
    });
}
