import type { RunningLab } from '#lab/lab.ts';
import { readLabFlags } from '#lab/options.ts';
import { findLab, LABS } from '#lab/registry.ts';
import { textTable } from '../output/table.ts';
import { untilInterrupted } from '../running/interrupt.ts';
import type { AddCommand } from './command.ts';

interface LabCommandFlags {
  readonly list?: boolean;
  readonly shards?: string;
  readonly port?: string;
  readonly accessLog?: string;
  readonly serviceMs?: string;
}

export const addLab: AddCommand = (program, { context }) => {
  program
    .command('lab')
    .description('start a practice server to try a test on')
    .argument('[name]', 'which one')
    .option('--list', 'list them')
    .option('--shards <n>', 'servers side by side')
    .option('--port <n>', 'port of the first of them (default: free ports)')
    .option('--access-log <file>', 'add a line of JSON per request to this file')
    .option('--service-ms <n>', 'mean time that a page takes, in milliseconds')
    .action(async (name: string | undefined, flags: LabCommandFlags) => {
      if (flags.list === true) {
        await context.out.write(textTable(LABS.map((lab) => [lab.name, `${lab.title}. ${lab.story}`])));
        return;
      }
      const chosen = findLab(name ?? '');
      const { shards, port, accessLog, serviceMs } = flags;
      const lab = await chosen.start(readLabFlags({ shards, port, 'access-log': accessLog, 'service-ms': serviceMs }));
      try {
        await context.out.write(labText(chosen.name, lab));
        await untilInterrupted(context);
      } finally {
        await lab.stop();
      }
    });
};

function labText(name: string, { urls, accounts }: RunningLab): string {
  const [account] = accounts;
  const logIn = account ? ` --set username=${account.username} --set password=${account.password}` : '';
  return `The practice server “${name}” answers at
${urls.map((url) => `  ${url}`).join('\n')}
People who can log in (user name, password):
${accounts.map(({ username, password }) => `  ${username}  ${password}`).join('\n')}
Try it from another terminal:
  holdfast run cms-contest --set target=${urls.join(',')}${logIn}
Press Ctrl-C to end it.
`;
}
