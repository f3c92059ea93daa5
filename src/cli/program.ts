import { Command, Help, type Option } from 'commander';
import { getOwn } from '#core/base/ownMembers.ts';
import type { AddCommand, CommandHost } from './context.ts';
import { EXIT_CODES } from './exitCodes.ts';

interface CommandEntry {
  readonly group: string;
  readonly load: () => Promise<AddCommand>;
  /** An example of the command, printed below its help. */
  readonly example: string;
}

const TEST = 'Test a server:';
const PLANS = 'Write plans:';
const RESULTS = 'Read and compare results:';
const DATA = 'Prepare data and find pages:';
const MACHINES = 'Machines:';

/** Commands in the order in which the help lists them. Each module is loaded only for its own command or for the full help. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  quick: {
    group: TEST,
    load: async () => (await import('./commands/quick.ts')).addQuick,
    example: 'holdfast quick http://127.0.0.1:8080/ -c 50 -d 10s',
  },
  run: {
    group: TEST,
    load: async () => (await import('./commands/run.ts')).addRun,
    example: 'holdfast run cms-contest --lab --set participants=750',
  },
  presets: { group: TEST, load: async () => (await import('./commands/presets.ts')).addPresets, example: 'holdfast presets' },
  try: { group: TEST, load: async () => (await import('./commands/try.ts')).addTry, example: 'holdfast try plan.yaml' },
  series: {
    group: TEST,
    load: async () => (await import('./commands/series.ts')).addSeries,
    example: 'holdfast series plan.yaml --csv table.csv',
  },
  'breaking-point': {
    group: TEST,
    load: async () => (await import('./commands/breakingPoint.ts')).addBreakingPoint,
    example: 'holdfast breaking-point plan.yaml --from 20 --to 500',
  },
  characterize: {
    group: TEST,
    load: async () => (await import('./commands/characterize.ts')).addCharacterize,
    example: 'holdfast characterize http://127.0.0.1:8080/',
  },
  init: {
    group: PLANS,
    load: async () => (await import('./commands/init.ts')).addInit,
    example: 'holdfast init --target http://127.0.0.1:8080/',
  },
  import: {
    group: PLANS,
    load: async () => (await import('./commands/import.ts')).addImport,
    example: 'holdfast import auto recording.har --out plan.yaml',
  },
  record: {
    group: PLANS,
    load: async () => (await import('./commands/record.ts')).addRecord,
    example: 'holdfast record http://localhost:8080/ --out plan.yaml',
  },
  validate: {
    group: PLANS,
    load: async () => (await import('./commands/describe.ts')).addValidate,
    example: 'holdfast validate plan.yaml',
  },
  describe: {
    group: PLANS,
    load: async () => (await import('./commands/describe.ts')).addDescribe,
    example: 'holdfast describe plan.yaml',
  },
  export: {
    group: PLANS,
    load: async () => (await import('./commands/export.ts')).addExport,
    example: 'holdfast export k6 plan.yaml script.js',
  },
  runs: { group: RESULTS, load: async () => (await import('./commands/runs.ts')).addRuns, example: 'holdfast runs' },
  history: { group: RESULTS, load: async () => (await import('./commands/runs.ts')).addHistory, example: 'holdfast history last' },
  show: { group: RESULTS, load: async () => (await import('./commands/runs.ts')).addShow, example: 'holdfast show last' },
  report: {
    group: RESULTS,
    load: async () => (await import('./commands/report.ts')).addReport,
    example: 'holdfast report last --pdf report.pdf',
  },
  compare: {
    group: RESULTS,
    load: async () => (await import('./commands/compare.ts')).addCompare,
    example: 'holdfast compare RUN,RUN RUN,RUN',
  },
  baseline: {
    group: RESULTS,
    load: async () => (await import('./commands/baseline.ts')).addBaseline,
    example: 'holdfast baseline RUN RUN RUN RUN RUN',
  },
  verify: { group: RESULTS, load: async () => (await import('./commands/verify.ts')).addVerify, example: 'holdfast verify result.html' },
  capacity: {
    group: RESULTS,
    load: async () => (await import('./commands/capacity.ts')).addCapacity,
    example: 'holdfast capacity last --demand 200',
  },
  monitors: {
    group: RESULTS,
    load: async () => (await import('./commands/monitors.ts')).addMonitors,
    example: 'holdfast monitors attach last cpu.csv --zone Europe/Berlin',
  },
  calculate: {
    group: RESULTS,
    load: async () => (await import('./commands/calculate.ts')).addCalculate,
    example: 'holdfast calculate data-volume',
  },
  accounts: {
    group: DATA,
    load: async () => (await import('./commands/accounts.ts')).addAccounts,
    example: 'holdfast accounts 750 --out accounts.csv',
  },
  populate: {
    group: DATA,
    load: async () => (await import('./commands/populate.ts')).addPopulate,
    example: 'holdfast populate plan.yaml --show',
  },
  crawl: {
    group: DATA,
    load: async () => (await import('./commands/crawl.ts')).addCrawl,
    example: 'holdfast crawl http://127.0.0.1:8080/ --pages 50',
  },
  check: { group: MACHINES, load: async () => (await import('./commands/check.ts')).addCheck, example: 'holdfast check --plan plan.yaml' },
  hosts: {
    group: MACHINES,
    load: async () => (await import('./commands/hosts.ts')).addHosts,
    example: 'holdfast hosts add web1 --user load',
  },
  join: {
    group: MACHINES,
    load: async () => (await import('./commands/join.ts')).addJoin,
    example: 'holdfast join 10.0.0.5:4711/CODE/FINGERPRINT',
  },
  lab: { group: MACHINES, load: async () => (await import('./commands/lab.ts')).addLab, example: 'holdfast lab contest --port 8100' },
  selftest: {
    group: MACHINES,
    load: async () => (await import('./commands/selftest.ts')).addSelfTest,
    example: 'holdfast selftest --quick',
  },
  mcp: {
    group: MACHINES,
    load: async () => (await import('./commands/mcp.ts')).addMcp,
    example: 'holdfast mcp --allow host:shop.example.org',
  },
  serve: { group: MACHINES, load: async () => (await import('./commands/serve.ts')).addServe, example: 'holdfast serve --port 8700' },
};

/**
 * Builds the program with the command that the arguments name. For the version, no command is loaded; otherwise, if none is named, all are.
 * `print` and `printError` receive commander's output.
 */
export async function buildProgram(
  args: readonly string[],
  host: CommandHost,
  print: (text: string) => void,
  printError: (text: string) => void,
): Promise<Command> {
  const program = new Command('holdfast')
    .description('Guided load testing: will your server hold?')
    .version(host.context.version, '--version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', exitCodesText())
    .addHelpText('after', 'A first test: holdfast quick http://127.0.0.1:8080/   All options: holdfast COMMAND --help, docs/cli.md');
  // These settings come first, because commands inherit them when they are added.
  program.exitOverride().configureOutput({
    writeOut: print,
    writeErr: printError,
    outputError: (text, write) => write(text.replace(/^error: /, 'holdfast: ')),
    getOutHelpWidth: () => host.context.out.columns,
    getErrHelpWidth: () => host.context.err.columns,
  });
  program.configureHelp({ optionDescription });
  const entries = commandsFor(args);
  const addCommands = await Promise.all(entries.map(({ load }) => load()));
  for (const [index, { group, example }] of entries.entries()) {
    program.commandsGroup(group);
    addCommands[index]?.(program, host);
    // Commander adds “help” to a command with subcommands; --help of each already prints the same.
    program.commands.at(-1)?.helpCommand(false).addHelpText('after', `\nExample: ${example}`);
  }
  pointToHelp(program, 'holdfast');
  return program;
}

/** Adds a reference to the command's help after a usage error. */
function pointToHelp(command: Command, called: string): void {
  command.showHelpAfterError(`  See: ${called} --help`);
  for (const part of command.commands) pointToHelp(part, `${called} ${part.name()}`);
}

function commandsFor([first = '']: readonly string[]): readonly CommandEntry[] {
  if (first === '--version') return [];
  const calledCommandEntry = getOwn(COMMANDS, first);
  return calledCommandEntry === undefined ? Object.values(COMMANDS) : [calledCommandEntry];
}

/** Formats an option's description. The default of repeatable options is hidden, because it is an empty list. */
function optionDescription(this: Help, option: Option): string {
  const text = Help.prototype.optionDescription.call(this, option);
  return text.replace(' (default: [])', '');
}

function exitCodesText(): string {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`);
  return `\nExit codes:\n${rows.join('\n')}\n`;
}
