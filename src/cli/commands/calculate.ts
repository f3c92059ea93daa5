import { Option } from 'commander';
import {
  type Calculation,
  type CalculatorInput,
  formatFigure,
  type GivenInputs,
  listInputs,
  requireInputs,
} from '#core/calculators/calculator.ts';
import { FINDING_WORDS } from '#core/presentation/document/words.ts';
import { calculators } from '#core/calculators/registry.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { jsonText } from '../output/jsonFile.ts';
import type { AddCommand } from '../context.ts';
import { jsonOption } from './runOptions.ts';

/** Formats the sentence, the table with right-aligned figures and the notes. */
function calculationText({ sentence, table, notes }: Calculation): string {
  const rows = [
    ['', ...table.columns],
    ...table.rows.map(({ label, kind, values }) => [label, ...values.map((value) => formatFigure(kind, value))]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const noteLines = notes.map(({ level, text }) => `${FINDING_WORDS[level]}: ${text}`);
  return `${[sentence, '', table.caption, ...lines, ...(noteLines.length > 0 ? ['', ...noteLines] : [])].join('\n')}\n`;
}

/** Adds a subcommand of `calculate` for each calculator. Each subcommand has an option for each input of its calculator. */
export const addCalculate: AddCommand = (program, { context }) => {
  const calculate = program
    .command('calculate')
    .description('calculate participants, database connections or data volumes, without a test');
  for (const calculator of Object.values(calculators)) {
    const inputs = listInputs(calculator);
    const command = calculate.command(calculator.id).description(`${calculator.title} ${calculator.story}`).addOption(jsonOption());
    for (const [name, input] of Object.entries(inputs)) command.addOption(new Option(`--${name} <number>`, describeInput(input)));
    command.action(async () => {
      const values = requireInputs(calculator, readInputs(Object.keys(inputs), command.opts()));
      const calculation = calculator.calculate(values);
      const asJson = command.getOptionValue('json') === true;
      await context.out.write(
        asJson ? jsonText({ calculator: calculator.id, inputs: values, ...calculation }) : calculationText(calculation),
      );
    });
  }
};

function describeInput({ label, help = '', unit = '', default: usual }: CalculatorInput): string {
  const by = usual === null ? 'not given' : `${usual}${unit === '' ? '' : ` ${unit}`}`;
  const of = usual === null && unit !== '' ? ` in ${unit}` : '';
  return `${label}${of} (${by})${help === '' ? '' : `. ${help}`}`;
}

/** Reads options by commander's camel-case names (schoolsAdded for --schools-added). */
function readInputs(names: readonly string[], options: Readonly<Record<string, unknown>>): GivenInputs {
  return Object.fromEntries(
    names.map((name) => {
      const value = getOwn(
        options,
        name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      );
      return [name, typeof value === 'string' ? value : null];
    }),
  );
}
