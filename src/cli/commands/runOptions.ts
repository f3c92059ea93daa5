import { Option, type Command } from 'commander';
import { addAllowOption, type AllowFlags } from '../input/consent.ts';
import { RESULT_FORMATS, type ResultFormat, type RunOutput } from '../running/perform.ts';
import { otlpOption, type SinkFlags } from '../input/metricsSink.ts';
import { collect } from '../input/optionReader.ts';

/** Options of all commands that run a load. */
export interface RunFlags extends AllowFlags, SinkFlags {
  readonly json?: string;
  readonly junit?: string;
  readonly format: ResultFormat;
  readonly full?: boolean;
  readonly quiet?: boolean;
  readonly on?: string;
  readonly monitor: string[];
  readonly requireJudged?: boolean;
}

export function formatOption(): Option {
  return new Option('--format <format>', 'output format').choices(RESULT_FORMATS).default('text');
}

export function fullOption(): Option {
  return new Option('--full', 'print all figures, not only the summary');
}

export function jsonOption(): Option {
  return new Option('--json', 'print the result as JSON');
}

export function quietOption(): Option {
  return new Option('--quiet', 'print only errors');
}

/** Returns the option --require-judged of all commands with pass criteria. */
export function requireJudgedOption(): Option {
  return new Option(
    '--require-judged',
    'fail if a step was not judged: never sent, without a decided criterion, or without proof of its success',
  );
}

/** Returns the option --on for load generators, which `run` and searches use. */
export function onOption(): Option {
  return new Option('--on <generators>', 'load generators, separated by commas: hosts (see: holdfast hosts), or “here” for this computer');
}

/** Returns the option --json that saves the result, which `run` and `characterize` use. */
export function resultOption(): Option {
  return new Option('--json <file>', 'save the result as JSON; - writes it to standard output instead of the text');
}

export function addRunOptions(command: Command): Command {
  command
    .optionsGroup('Result:')
    .addOption(resultOption())
    .option('--junit <file>', 'save the pass criteria as JUnit XML, for build servers')
    .addOption(formatOption())
    .addOption(fullOption())
    .addOption(requireJudgedOption())
    .addOption(quietOption());
  return addAllowOption(command.optionsGroup('Machines and permissions:'))
    .addOption(onOption())
    .option('--monitor <host>', 'monitor this host during the load: processor, memory, network, sockets (repeatable)', collect, [])
    .addOption(otlpOption());
}

/** Splits the value of `--on` into load generators; undefined without the option. */
export function readGenerators(on: string | undefined): string[] | undefined {
  return on?.split(',').map((name) => name.trim());
}

export function runOutput(flags: RunFlags): RunOutput {
  return {
    json: flags.json,
    junit: flags.junit,
    format: flags.format,
    full: flags.full === true,
    quiet: flags.quiet === true,
    on: readGenerators(flags.on),
    monitors: flags.monitor,
    requiresJudged: flags.requireJudged === true,
  };
}
