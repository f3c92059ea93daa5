import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { ACCOUNT_FORMS, type AccountForm, accountsCsv, seededDraw } from '#core/work/accounts/accounts.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { formatCount } from '#core/base/units.ts';
import { writeNewFile } from '../output/jsonFile.ts';
import type { AddCommand } from './command.ts';

interface AccountsFlags {
  readonly out: string;
  readonly form: AccountForm;
  readonly prefix: string;
  readonly from: string;
  readonly seed?: string;
}

const MOST = 100_000;
const DRAWS = 2 ** 47;

export const addAccounts: AddCommand = (program, { context }) => {
  program
    .command('accounts')
    .description('make up a list of accounts with passwords, for populate and for the feeds of a plan')
    .argument('<number>', 'how many')
    .requiredOption('--out <file>', 'the CSV file to write; it is for your eyes only (0600) and never replaces another')
    .addOption(new Option('--form <form>', 'whose columns it has').choices(ACCOUNT_FORMS).default('plain'))
    .option('--prefix <text>', 'what user names begin with', 'holdfast')
    .option('--from <number>', 'number of the first', '1')
    .option('--seed <number>', 'the same passwords each time; left out, nobody can guess them')
    .action(async (number: string, flags: AccountsFlags) => {
      const count = wholeOf('the number of accounts', number, 1, MOST);
      const from = wholeOf('--from', flags.from, 0, 1_000_000_000);
      const seed = flags.seed === undefined ? null : wholeOf('--seed', flags.seed, 0, 4_294_967_295);
      if (!/^[A-Za-z0-9._-]{1,40}$/.test(flags.prefix))
        throw bad(`--prefix takes letters, digits, dots, - and _, not ${JSON.stringify(flags.prefix)}.`);
      const draw = seed === null ? () => randomInt(DRAWS) / DRAWS : seededDraw(seed);
      const file = resolve(context.currentDirectory, flags.out);
      await writeNewFile(file, accountsCsv({ count, form: flags.form, prefix: flags.prefix, from, draw }), {
        code: 'ACCOUNTS_FILE',
        hintWhenThere: 'It may be the only place where its passwords stand: choose another name, or move it away.',
        mode: 0o600,
      });
      await context.out.write(`${formatCount(count)} accounts are in ${file}, readable by you only.\n`);
    });
};

function wholeOf(what: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw bad(`${what} is a whole number from ${formatCount(least)} to ${formatCount(most)}, not ${JSON.stringify(text)}.`);
}

function bad(message: string): HoldfastError {
  return new HoldfastError({ code: 'BAD_OPTION', message, hint: 'See: holdfast accounts --help' });
}
