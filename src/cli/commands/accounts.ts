import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { ACCOUNT_FORMS, type AccountForm, accountsCsv, createSeededDraw } from '#core/work/accounts/accounts.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { formatCount } from '#core/base/units.ts';
import { quote } from '#core/base/text.ts';
import { writeNewFile } from '../output/jsonFile.ts';
import type { AddCommand } from '../context.ts';

interface AccountsFlags {
  readonly out: string;
  readonly form: AccountForm;
  readonly prefix: string;
  readonly from: string;
  readonly seed?: string;
}

const MAX_ACCOUNTS = 100_000;
const PASSWORD_SPACE = 2 ** 47;

export const addAccounts: AddCommand = (program, { context }) => {
  program
    .command('accounts')
    .description('generate a list of accounts with passwords, for populate and for the feeds of a plan')
    .argument('<number>', 'number of accounts')
    .requiredOption('--out <file>', 'the CSV file to write; only you can read it (mode 0600), and it never replaces another')
    .addOption(new Option('--form <form>', 'columns of the list').choices(ACCOUNT_FORMS).default('plain'))
    .option('--prefix <text>', 'prefix of the user names', 'holdfast')
    .option('--from <number>', 'number of the first account', '1')
    .option('--seed <number>', 'seed for the same passwords each time; without it, they are random')
    .action(async (number: string, flags: AccountsFlags) => {
      const count = parseWhole('the number of accounts', number, 1, MAX_ACCOUNTS);
      const from = parseWhole('--from', flags.from, 0, 1_000_000_000);
      const seed = flags.seed === undefined ? null : parseWhole('--seed', flags.seed, 0, 4_294_967_295);
      if (!/^[A-Za-z0-9._-]{1,40}$/.test(flags.prefix))
        throw badAccountsOption(`--prefix takes letters, digits, dots, - and _, not ${quote(flags.prefix)}.`);
      const draw = seed === null ? () => randomInt(PASSWORD_SPACE) / PASSWORD_SPACE : createSeededDraw(seed);
      const file = resolve(context.currentDirectory, flags.out);
      await writeNewFile(file, accountsCsv({ count, form: flags.form, prefix: flags.prefix, from, draw }), {
        code: 'ACCOUNTS_FILE',
        hintWhenThere: 'It may be the only copy of its passwords. Choose another name, or move the file away.',
        mode: 0o600,
      });
      await context.out.write(`${formatCount(count)} accounts written to ${file}, readable only by you.\n`);
    });
};

function parseWhole(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw badAccountsOption(`${option} is a whole number from ${formatCount(min)} to ${formatCount(max)}, not ${quote(text)}.`);
}

function badAccountsOption(message: string): HoldfastError {
  return new HoldfastError({ code: 'BAD_OPTION', message, hint: 'See: holdfast accounts --help' });
}
