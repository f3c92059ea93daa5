import type { PlayedCell } from './playCell.ts';

const ID_WIDTH = 64;
const OUTCOMES: Readonly<Record<string, string>> = {
  passed: 'Passed',
  failed: 'Failed',
  inconclusive: 'Inconclusive',
  measured: 'Measured',
};

/** Returns the result of a cell in at most four lines. */
export function cellLines({ id, seconds, stated, wrong, isNamed }: PlayedCell): string {
  const verdict = wrong === null ? 'ok' : isNamed === null ? 'UNTOUCHED DID NOT PASS' : 'NOT SEEN';
  const unnamed = isNamed === false ? ', step not named' : '';
  const indent = `\n${' '.repeat(4)}`;
  const notJudged = stated.notJudged.length > 0 ? `${indent}not judged: ${stated.notJudged.join(', ')}` : '';
  return `${id.padEnd(ID_WIDTH)} ${(OUTCOMES[stated.outcome] ?? stated.outcome).padEnd(12)} ${verdict}${unnamed} (${seconds.toFixed(1)} s)${indent}${stated.sentence}${stated.finding === null ? '' : `${indent}– ${stated.finding}`}${notJudged}\n`;
}

/** Returns a line about a practice server that could not be started, or a run that was rejected. */
export function brokenLine(id: string, why: string): string {
  return `${id.padEnd(ID_WIDTH)} COULD NOT RUN: ${why}\n`;
}
