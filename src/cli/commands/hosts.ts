import { resolve } from 'node:path';
import { type Host, type HostReport, hostSchema, readSshAddress } from '#core/plan/schema/hosts.ts';
import { formatMs, UNKNOWN_TEXT } from '#core/base/units.ts';
import type { Client } from '#contract/rpc/client.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import { textTable, printIssues } from '../output/problems.ts';
import { type CliContext, type AddCommand, withClient } from '../context.ts';
import { EXIT } from '../exitCodes.ts';
import { addInvite } from './invite.ts';
import { badOption } from '../input/optionReader.ts';
import { jsonText } from '../output/jsonFile.ts';
import { withHostKey } from '../hosts/withHostKey.ts';

function hostText(name: string, report: HostReport): string {
  const { user, hostname, system, kernel, cores, memoryBytes, node, clock, roundTripMs, notes } = report;
  const rows = [
    ['user', user],
    ['host', hostname],
    ['system', `${system} (${kernel})`],
    ['cores', cores === null ? UNKNOWN_TEXT : String(cores)],
    ['memory', memoryBytes === null ? UNKNOWN_TEXT : `${(memoryBytes / 1e9).toFixed(1)} GB`],
    ['Node', node === null ? 'none' : `${node.version} (${node.path})`],
    [
      'clock',
      clock === null
        ? UNKNOWN_TEXT
        : `${formatMs(Math.abs(clock.aheadMs))} ${clock.aheadMs < 0 ? 'behind' : 'ahead of'} this computer, ± ${formatMs(clock.errorMs)}`,
    ],
    ['round trip', formatMs(roundTripMs)],
  ];
  return `${name} responds.\n${textTable(rows)}${notes.map((note) => `${note}\n`).join('')}`;
}

interface AddFlags {
  readonly user?: string;
  readonly port?: string;
  readonly jump?: string;
  readonly key?: string;
  readonly replace?: boolean;
}

export const addHosts: AddCommand = (program, commandHost) => {
  const { context, exit } = commandHost;
  const hosts = program
    .command('hosts')
    .description('manage load generators: hosts over SSH (add, test, list, remove), and invited computers');
  addInvite(hosts, commandHost);
  hosts
    .command('add')
    .description('add a host; what you leave out is taken from ~/.ssh/config')
    .argument('<name>', 'a name of your choice')
    .argument('[address]', '[user@]host[:port]: its name, IP address, or alias in ~/.ssh/config (default: the same name)')
    .option('--user <name>', 'the user to log in as')
    .option('--port <n>', 'the port of its SSH server')
    .option('--jump <hosts>', 'jump hosts, separated by commas: [user@]host[:port]')
    .option('--key <file>', 'file of the private key; you are asked for its passphrase if needed')
    .option('--replace', 'replace the host of that name')
    .action(async (name: string, address: string | undefined, flags: AddFlags) => {
      const { host, issues } = readHost(name, address ?? name, flags, context.currentDirectory);
      if (host === null) {
        await printIssues(context.err, issues);
        return exit(EXIT.failed);
      }
      await withClient(context, (client) => client.call('hosts.add', { host, replace: flags.replace === true }));
      await context.out.write(`Added ${host.name}. Try the connection with: holdfast hosts test ${host.name}\n`);
    });
  hosts
    .command('test')
    .description('connect to a host and show its system, cores, Node and clock offset')
    .argument('<name>')
    .option('--trust <fingerprint>', 'trust its key if it has this fingerprint (SHA256:…), without being asked')
    .option('--install-node', 'download Node from npm and copy it there (about 120 MB), unless a suitable one is installed')
    .option('--json', 'print the host as JSON')
    .action(async (name: string, flags: { trust?: string; installNode?: boolean; json?: boolean }) => {
      const report = await withClient(context, (client) => {
        const testHost = (): Promise<HostReport> => withHostKey(() => client.call('hosts.test', { name }), client, context, flags.trust);
        return testWithNode(name, testHost, flags.installNode === true, client, context);
      });
      await context.out.write(flags.json === true ? jsonText(report) : hostText(name, report));
    });
  hosts
    .command('list')
    .description('list the hosts')
    .option('--json', 'print the list as JSON: {"hosts": […]}')
    .action(async (flags: { json?: boolean }) => {
      const all = await withClient(context, (client) => client.call('hosts.list', {}));
      await context.out.write(flags.json === true ? jsonText({ hosts: all }) : listText(all));
    });
  hosts
    .command('remove')
    .description('remove a host from the list; nothing on it is changed')
    .argument('<name>')
    .action(async (name: string) => {
      await withClient(context, (client) => removeHost(client, name));
      await context.out.write(`Removed ${name}.\n`);
    });
};

async function testWithNode(
  name: string,
  test: () => Promise<HostReport>,
  mayInstall: boolean,
  client: Client,
  { err }: Pick<CliContext, 'err'>,
): Promise<HostReport> {
  const report = await test();
  if (!mayInstall || report.node?.isEnough === true) return report;
  await err.write('Fetching Node and copying it there…\n');
  await client.call('hosts.installNode', { name });
  return test();
}

async function removeHost(client: Client, name: string): Promise<void> {
  await client.call('hosts.remove', { name });
}

const OPTIONS: Readonly<Record<string, string>> = { user: '--user', port: '--port', jump: '--jump', keyPath: '--key' };

function readHost(name: string, address: string, flags: AddFlags, directory: string): { host: Host | null; issues: Issue[] } {
  const { jump } = flags;
  const parts = readSshAddress(address);
  const [user, portText] = [flags.user ?? parts.user, flags.port ?? parts.port];
  const key = flags.key === undefined || flags.key.startsWith('~/') ? flags.key : resolve(directory, flags.key);
  const port = portText === null ? null : /^\d+$/.test(portText) ? Number(portText) : 0;
  const parsed = hostSchema.safeParse({ name, address: parts.address, user, port, jump: jump ?? null, keyPath: key ?? null });
  if (parsed.success) return { host: parsed.data, issues: [] };
  const values: Readonly<Record<string, string | null | undefined>> = {
    name,
    address: parts.address,
    user,
    port: portText,
    jump,
    keyPath: key,
  };
  const issues = parsed.error.issues.map(({ path: [field = ''], message }) =>
    badOption(getOwn(OPTIONS, String(field)) ?? String(field), getOwn(values, String(field)) ?? '', message),
  );
  return { host: null, issues };
}

function listText(hosts: readonly Host[]): string {
  if (hosts.length === 0) return 'No hosts. To add one: holdfast hosts add NAME ADDRESS\n';
  return textTable(
    hosts.map(({ name, address, user, port, jump, keyPath }) => [
      name,
      `${user === null ? '' : `${user}@`}${address}${port === null ? '' : `:${port}`}`,
      [jump === null ? '' : `through ${jump}`, keyPath === null ? '' : `with ${keyPath}`].filter(Boolean).join(' '),
    ]),
  );
}
