import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { type LabListing, labSecretSchema } from '#core/base/lab/listing.ts';
import { describeOption } from '#core/base/lab/readOptions.ts';
import { cacheDirectoryFor } from '#lab/cacheDirectory.ts';
import type { RunningLab } from '#lab/lab.ts';
import { listLabs, readLabArguments } from '#lab/registry.ts';
import { runBeside } from '../running/attachGraph.ts';
import { untilInterrupted } from '../running/progress.ts';
import type { AddCommand } from '../context.ts';

interface LabCommandFlags {
  readonly list?: boolean;
  readonly reveal?: string;
}

export const addLab: AddCommand = (program, { context, exitAs, afterDashes }) => {
  program
    .command('lab')
    .description('start a practice server to try a test on: lab NAME [--option value …] [-- COMMAND …]')
    .argument('[name]', 'name of the practice server')
    .argument('[options...]', 'its options (see --list); after --, a command to run with it: the server stops when the command ends')
    .option('--list', 'list the practice servers with their options, and what this computer lacks for them')
    .option('--reveal <address>', 'show the hidden facts of a running practice server, by its control address')
    .allowUnknownOption()
    .action(async (name: string | undefined, words: readonly string[], flags: LabCommandFlags) => {
      if (flags.list === true) {
        const labs = await listLabs(process.env);
        await context.out.write(labs.map(listingText).join('\n'));
        return;
      }
      if (flags.reveal !== undefined) {
        await context.out.writeFile(await getSecrets(flags.reveal));
        return;
      }
      const { lab: chosen, given } = readLabArguments([...(name === undefined ? [] : [name]), ...words]);
      const lab = await chosen.start(given, {
        entry: context.labEntry,
        cacheDirectory: cacheDirectoryFor(process.env),
        environment: process.env,
        onProgress: (text) => void context.err.write(`${text}\n`),
      });
      const runCommandBeside = ({ urls, control, within }: RunningLab): Promise<number> =>
        runBeside([...within, ...afterDashes], {
          directory: context.currentDirectory,
          environment: {
            ...context.environment,
            HOLDFAST_LAB_URL: urls[0],
            HOLDFAST_LAB_URLS: urls.join(','),
            HOLDFAST_LAB_CONTROL: control,
          },
        });
      try {
        // Standard output belongs to the command that runs beside the practice server.
        await (afterDashes.length > 0 ? context.err : context.out).write(labText(chosen.name, lab));
        const ended = await Promise.race([
          untilInterrupted(context),
          lab.broken,
          ...(afterDashes.length > 0 ? [runCommandBeside(lab)] : []),
        ]);
        if (typeof ended === 'number') exitAs(ended);
        if (typeof ended === 'string')
          throw new HoldfastError({ code: 'LAB_BROKEN', message: `The practice server “${chosen.name}” crashed.`, hint: ended });
      } finally {
        await lab.stop();
      }
    });
};

function listingText({ name, title, story, options, missing }: LabListing): string {
  const lacks = missing.map(
    ({ what, why, install, needed }) =>
      `  ${needed ? 'Needs' : 'Better with'} ${what}, which is not here. ${why} Install it with: ${install}\n`,
  );
  const lines = (fault: boolean): string[] =>
    Object.entries(options)
      .filter(([, option]) => option.fault === fault && option.kind !== 'hidden')
      .map(([option, what]) => `    ${describeOption(option, what)}\n`);
  const faults = lines(true);
  return `${name}: ${title}. ${story}\n${lacks.join('')}  Options:\n${lines(false).join('')}${faults.length > 0 ? `  Faults:\n${faults.join('')}` : ''}`;
}

const SHOWN_ACCOUNTS = 8;

function labText(name: string, { urls, addresses, accounts, control, hasSecrets }: RunningLab): string {
  const [account] = accounts;
  const main = addresses.filter(({ url }) => urls.includes(url));
  const otherAddresses = addresses.filter(({ url }) => !urls.includes(url));
  const rows = [...main, ...otherAddresses].map(({ label, url, help }) => `  ${url}  ${label}${help === '' ? '' : `. ${help}`}`);
  const people = accounts.slice(0, SHOWN_ACCOUNTS).map(({ username, password }) => `  ${username}  ${password}`);
  if (accounts.length > SHOWN_ACCOUNTS) people.push(`  and ${accounts.length - SHOWN_ACCOUNTS} more, see ${control}accounts.csv`);
  const logIn = account ? ` --set username=${account.username} --set password=${account.password}` : '';
  const sections = [
    `The practice server “${name}” runs at\n${rows.join('\n')}`,
    ...(account ? [`People who can log in (user name, password):\n${people.join('\n')}`] : []),
    ...(name === 'contest' ? [`Try it from another terminal:\n  holdfast run cms-contest --set target=${urls.join(',')}${logIn}`] : []),
    ...(hasSecrets ? [`To show its hidden facts:\n  holdfast lab --reveal ${control}`] : []),
    `Its logs and controls: ${control} (live gauges: ${control}gauges)`,
    'Press Ctrl-C to end it.',
  ];
  return `${sections.join('\n')}\n`;
}

async function getSecrets(address: string): Promise<string> {
  try {
    const secrets = z.array(labSecretSchema).parse(await (await fetch(new URL('secrets', address))).json());
    return secrets.map(({ label, text }) => `${label}: ${text}\n`).join('') || 'It hides nothing.\n';
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'LAB_SILENT',
        message: `No practice server responds at ${address}.`,
        hint: 'Enter the control address that it printed at its start, and keep it running.',
      },
      { cause },
    );
  }
}
