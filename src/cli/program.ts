import { Command, Help, type Option } from 'commander';
import type { AddCommand, CommandHost } from './commands/command.ts';
import { EXIT_CODES } from './exitCodes.ts';

/** In the order of the help. A command is loaded when it is called, or when all are to be told: each brings what it works with. */
const COMMANDS: readonly (readonly [name: string, load: () => Promise<AddCommand>])[] = [
  ['presets', async () => (await import('./commands/presets.ts')).addPresets],
  ['run', async () => (await import('./commands/run.ts')).addRun],
  ['quick', async () => (await import('./commands/quick.ts')).addQuick],
  ['validate', async () => (await import('./commands/validate.ts')).addValidate],
  ['describe', async () => (await import('./commands/describe.ts')).addDescribe],
  ['import', async () => (await import('./commands/import.ts')).addImport],
  ['record', async () => (await import('./commands/record.ts')).addRecord],
  ['export', async () => (await import('./commands/export.ts')).addExport],
  ['series', async () => (await import('./commands/series.ts')).addSeries],
  ['breaking-point', async () => (await import('./commands/breakingPoint.ts')).addBreakingPoint],
  ['characterize', async () => (await import('./commands/characterize.ts')).addCharacterize],
  ['try', async () => (await import('./commands/try.ts')).addTry],
  ['accounts', async () => (await import('./commands/accounts.ts')).addAccounts],
  ['populate', async () => (await import('./commands/populate.ts')).addPopulate],
  ['crawl', async () => (await import('./commands/crawl.ts')).addCrawl],
  ['calculate', async () => (await import('./commands/calculate.ts')).addCalculate],
  ['runs', async () => (await import('./commands/runs.ts')).addRuns],
  ['show', async () => (await import('./commands/show.ts')).addShow],
  ['capacity', async () => (await import('./commands/capacity.ts')).addCapacity],
  ['report', async () => (await import('./commands/report.ts')).addReport],
  ['compare', async () => (await import('./commands/compare.ts')).addCompare],
  ['baseline', async () => (await import('./commands/baseline.ts')).addBaseline],
  ['monitors', async () => (await import('./commands/monitors.ts')).addMonitors],
  ['hosts', async () => (await import('./commands/hosts.ts')).addHosts],
  ['check', async () => (await import('./commands/check.ts')).addCheck],
  ['serve', async () => (await import('./commands/serve.ts')).addServe],
  ['lab', async () => (await import('./commands/lab.ts')).addLab],
  ['selftest', async () => (await import('./commands/selftest.ts')).addSelfTest],
];

/**
 * The command line for these arguments, with the command that they begin with, with none where they ask for the version, and otherwise with all. `print` and `printError` take what commander itself has to say.
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
    .addHelpText('after', exitCodesText());
  // Commands take over these settings when they are added, so they come first.
  program.exitOverride().configureOutput({
    writeOut: print,
    writeErr: printError,
    outputError: (text, write) => write(text.replace(/^error: /, 'holdfast: ')),
    getOutHelpWidth: () => host.context.out.columns,
    getErrHelpWidth: () => host.context.err.columns,
  });
  program.configureHelp({ optionDescription });
  const added = await Promise.all(wantedBy(args).map(([, load]) => load()));
  for (const add of added) add(program, host);
  pointToHelp(program, 'holdfast');
  return program;
}

/** What is wrong with a call is followed by where its own command is described. */
function pointToHelp(command: Command, called: string): void {
  command.showHelpAfterError(`  See: ${called} --help`);
  for (const part of command.commands) pointToHelp(part, `${called} ${part.name()}`);
}

function wantedBy([first]: readonly string[]): typeof COMMANDS {
  if (first === '--version') return [];
  const called = COMMANDS.filter(([name]) => name === first);
  return called.length > 0 ? called : COMMANDS;
}

/** Options that may be repeated begin as an empty list, which tells nobody anything. */
function optionDescription(this: Help, option: Option): string {
  const text = Help.prototype.optionDescription.call(this, option);
  return text.replace(' (default: [])', '');
}

function exitCodesText(): string {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`);
  return `\nExit codes:\n${rows.join('\n')}\n`;
}
