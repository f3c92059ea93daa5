import { Command, Help, type Option } from 'commander';
import { addBaseline } from './commands/baseline.ts';
import { addBreakingPoint } from './commands/breakingPoint.ts';
import { addCalculate } from './commands/calculate.ts';
import { addCapacity } from './commands/capacity.ts';
import { addCharacterize } from './commands/characterize.ts';
import { addCheck } from './commands/check.ts';
import type { AddCommand, CommandHost } from './commands/command.ts';
import { addAccounts } from './commands/accounts.ts';
import { addCompare } from './commands/compare.ts';
import { addCrawl } from './commands/crawl.ts';
import { addDescribe } from './commands/describe.ts';
import { addExport } from './commands/export.ts';
import { addHosts } from './commands/hosts.ts';
import { addImport } from './commands/import.ts';
import { addLab } from './commands/lab.ts';
import { addMonitors } from './commands/monitors.ts';
import { addPopulate } from './commands/populate.ts';
import { addPresets } from './commands/presets.ts';
import { addQuick } from './commands/quick.ts';
import { addReport } from './commands/report.ts';
import { addRun } from './commands/run.ts';
import { addRuns } from './commands/runs.ts';
import { addSelfTest } from './commands/selftest.ts';
import { addSeries } from './commands/series.ts';
import { addServe } from './commands/serve.ts';
import { addShow } from './commands/show.ts';
import { addTry } from './commands/try.ts';
import { addValidate } from './commands/validate.ts';
import { EXIT_CODES } from './exitCodes.ts';

/** In the order of the help. */
const COMMANDS: readonly AddCommand[] = [
  addPresets,
  addRun,
  addQuick,
  addValidate,
  addDescribe,
  addImport,
  addExport,
  addSeries,
  addBreakingPoint,
  addCharacterize,
  addTry,
  addAccounts,
  addPopulate,
  addCrawl,
  addCalculate,
  addRuns,
  addShow,
  addCapacity,
  addReport,
  addCompare,
  addBaseline,
  addMonitors,
  addHosts,
  addCheck,
  addServe,
  addLab,
  addSelfTest,
];

/** The whole command line. `print` and `printError` take what commander itself has to say. */
export function buildProgram(host: CommandHost, print: (text: string) => void, printError: (text: string) => void): Command {
  const program = new Command('holdfast')
    .description('Guided load testing: will it hold?')
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
  program.showHelpAfterError('  See: holdfast --help, or holdfast COMMAND --help');
  for (const add of COMMANDS) add(program, host);
  return program;
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
