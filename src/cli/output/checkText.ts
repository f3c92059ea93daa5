import type { CheckFinding } from '#core/machines/checks/finding.ts';

const ORDER: readonly CheckFinding['level'][] = ['problem', 'warning', 'info', 'unknown', 'ok'];
const WIDTH = 9;

/** Findings as lines, the gravest first; those that are fine are counted unless all are wanted. */
export function checkText(title: string, findings: readonly CheckFinding[], showsAll: boolean): string {
  const fine = findings.filter(({ level }) => level === 'ok');
  const shown = showsAll ? findings : findings.filter(({ level }) => level !== 'ok');
  const sorted = [...shown].sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level));
  const rest =
    showsAll || fine.length === 0 ? '' : `${fine.length === 1 ? '1 check fine' : `${fine.length} checks fine`}; --all lists them.\n`;
  return `${title}\n${sorted.map(findingText).join('')}${rest}`;
}

function findingText({ id, level, title, evidence, matters, remedy }: CheckFinding): string {
  const lines = [evidence, matters, ...(remedy === null ? [] : remedyLines(remedy))].filter((line) => line !== '');
  return `${level.padEnd(WIDTH)}${title} [${id}]\n${lines.map((line) => `${' '.repeat(WIDTH)}${line}\n`).join('')}`;
}

function remedyLines({ text, command, undo, risk, change }: NonNullable<CheckFinding['remedy']>): string[] {
  return [
    `To do: ${text}`,
    command === null ? '' : `  ${command}`,
    undo === null ? '' : `To undo it: ${undo}`,
    risk === '' ? '' : `Risk: ${risk}`,
    change === undefined ? '' : 'Holdfast does it after a question: --apply with the name in brackets.',
  ];
}
