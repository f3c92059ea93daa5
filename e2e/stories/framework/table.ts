import type { JudgedFigure, Outcome } from './outcome.ts';
import type { Mutation } from './scene.ts';
import type { Story } from './story.ts';

const COLUMNS = [34, 34, 14, 14, 14] as const;

export const HEAD = `${row(['story', 'figure', 'predicted', 'measured', 'log'])} result\n`;

/** Returns the lines about a story in the table. */
export function outcomeLines({ id, seconds, ending }: Outcome, mutation: Mutation | null): string {
  switch (ending.kind) {
    case 'skipped':
      return `${id.padEnd(COLUMNS[0])} SKIPPED: ${ending.why}\n`;
    case 'broken':
      return `${id.padEnd(COLUMNS[0])} FAILED: ${ending.why}\n${parametersText(ending.parameters)}`;
    case 'reported': {
      const rows = ending.figures.map(
        (figure, index) =>
          `${row([index === 0 ? id : '', figure.name, formatValue(figure.predicted, figure), formatValue(figure.measured, figure), formatValue(figure.logged, figure)])} ${figure.wrong ?? 'ok'}\n`,
      );
      return `${rows.join('')}${parametersText(ending.parameters)}${' '.repeat(COLUMNS[0])} ${word(ending.passed, mutation)} in ${seconds.toFixed(1)} s${overloadText(ending)}\n`;
    }
    default:
      return ending satisfies never;
  }
}

function overloadText({ overloadedSeconds, times }: Extract<Outcome['ending'], { kind: 'reported' }>): string {
  const seconds = overloadedSeconds === 0 ? '' : `; this machine was too busy in ${overloadedSeconds} s`;
  return times > 1 ? `${seconds}; told ${times} times, as it was too busy before` : seconds;
}

function word(isPassed: boolean, mutation: Mutation | null): string {
  if (mutation === null) return isPassed ? 'passed' : 'FAILED';
  return isPassed ? `FAILED: it did not notice (--${mutation})` : `noticed (--${mutation})`;
}

function parametersText(parameters: unknown): string {
  return `${' '.repeat(COLUMNS[0])} with ${JSON.stringify(parameters)}\n`;
}

function row(cells: readonly string[]): string {
  return cells.map((text, index) => (index < 2 ? text.padEnd(COLUMNS[index] ?? 0) : text.padStart(COLUMNS[index] ?? 0))).join(' ');
}

function formatValue(value: number | null, { unit }: JudgedFigure): string {
  if (value === null) return '–';
  const digits = Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 1 : 3;
  return `${value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`;
}

/** Returns the line about a story for `--list`. */
export function listLine(story: Story): string {
  return `${story.id.padEnd(COLUMNS[0])} ${story.owner.padEnd(12)} ${`${story.usualSeconds} s`.padEnd(8)} ${story.statement}\n`;
}
