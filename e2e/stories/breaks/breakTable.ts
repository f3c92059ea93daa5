import type { PlayedCell } from './playCell.ts';

const ID_WIDTH = 64;
const OUTCOMES: Readonly<Record<string, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  inconclusive: 'Inconclusive',
  measured: 'Measured',
};

/** Returns the result of a cell in at most three lines. */
export function cellLines({ id, seconds, said, wrong, isNamed }: PlayedCell): string {
  const verdict = wrong === null ? 'ok' : isNamed === null ? 'UNTOUCHED DID NOT PASS' : 'NOT SEEN';
  const unnamed = isNamed === false ? ', step not named' : '';
  const indent = `\n${' '.repeat(4)}`;
  const notJudged = said.notJudged.length > 0 ? `${indent}not judged: ${said.notJudged.join(', ')}` : '';
  return `${id.padEnd(ID_WIDTH)} ${(OUTCOMES[said.outcome] ?? said.outcome).padEnd(12)} ${verdict}${unnamed} (${seconds.toFixed(1)} s)${indent}${said.sentence}${said.finding === null ? '' : `${indent}– ${said.finding}`}${notJudged}\n`;
}

/** Returns the line of a practice server that could not be started, or of a rejected run. */
export function brokenLine(id: string, why: string): string {
  return `${id.padEnd(ID_WIDTH)} COULD NOT RUN: ${why}\n`;
}
