import { writeFile } from 'node:fs/promises';
import { toProblem } from '#core/base/errors.ts';
import { openScene } from '../framework/scene.ts';
import type { StoryOptions } from '../options.ts';
import { brokenLine, cellLines } from './breakTable.ts';
import { allCells, type Cell } from './cells.ts';
import { cellsOfDay, drawCells } from './choose.ts';
import { type PlayedCell, playCell, playUntouched } from './playCell.ts';

/** Minimum share of cells in whose results the broken step is named. */
const NAMED_SHARE = 0.95;
/** Maximum number of attempts. There may be several, because a run on an overloaded machine proves nothing about the app. */
const MAX_TIMES = 2;
/** Number of tests that are played at the same time, each with its own app and practice server. Mostly, they wait for their loads. */
const PARALLEL_TESTS = 2;

interface NotRun {
  readonly id: string;
  readonly why: string;
  /** Whether this machine lacks a program that the practice server needs. */
  readonly isProgramMissing: boolean;
}

/** Runs each test once without a break, and then the selected cells. Returns the exit code, which is 1 if a break was not detected. */
export async function playBreaks(options: StoryOptions, write: (text: string) => void): Promise<number> {
  const print = (text: string): void => (options.json ? undefined : write(text));
  const { cells, notApplicable } = allCells();
  const chosenCells = choose(cells, options, print);
  if (chosenCells.length === 0) {
    write(`No cell begins with ${options.names.join(' or ')}. --break --list shows all.\n`);
    return 2;
  }
  if (options.list) {
    write(chosenCells.map(({ id, nature }) => `${id}  (${nature})\n`).join(''));
    write(notApplicable.map(({ id, because }) => `${id}  not applicable: ${because}\n`).join(''));
    return 0;
  }
  print(`Seed ${options.seed}: ${chosenCells.length} of ${cells.length} cells\n\n`);
  const played: PlayedCell[] = [];
  const untouched: PlayedCell[] = [];
  const notRun: NotRun[] = [];
  const play = async (id: string, into: PlayedCell[], act: () => Promise<PlayedCell>): Promise<void> => {
    try {
      let cell = await act();
      for (let times = 1; times < MAX_TIMES && isDoubtful(cell); times += 1) cell = await act();
      into.push(cell);
      print(cellLines(cell));
    } catch (thrown) {
      const { code, message, hint } = toProblem(thrown);
      const why = `${message} ${hint}`.trim();
      notRun.push({ id, why, isProgramMissing: code === 'LAB_NEEDS' || code === 'PYTHON_PACKAGES' });
      print(brokenLine(id, why));
    }
  };
  const waiting = [...new Set(chosenCells.map((cell) => cell.test))];
  const playWaiting = async (): Promise<void> => {
    const scene = await openScene(null);
    try {
      for (;;) {
        const test = waiting.shift();
        if (test === undefined) return;
        await play(`${test.preset}/${test.test}`, untouched, () => playUntouched(scene, test));
        for (const cell of chosenCells.filter((one) => one.test === test)) await play(cell.id, played, () => playCell(scene, cell));
      }
    } finally {
      await scene.close();
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_TESTS }, playWaiting));
  const notSeen = played.filter(({ wrong }) => wrong !== null).length;
  const named = played.filter(({ isNamed }) => isNamed === true).length;
  const notPassed = untouched.filter(({ wrong }) => wrong !== null).length;
  print(
    `\n${played.length - notSeen} of ${played.length} breaks were seen, ${named} of ${played.length} named; ${untouched.length - notPassed} of ${untouched.length} untouched passed; ${notRun.length} could not run\n`,
  );
  const hasFailed = notRun.some(({ isProgramMissing }) => !isProgramMissing || process.env['CI'] === 'true');
  const report = `${JSON.stringify({ seed: options.seed, notSeen, named, notPassed, cells: played, untouched, notRun, notApplicable })}\n`;
  if (options.json) write(report);
  if (options.report !== null) await writeFile(options.report, report);
  return notSeen > 0 || notPassed > 0 || hasFailed || named < Math.floor(NAMED_SHARE * played.length) ? 1 : 0;
}

/**
 * Returns whether a cell must be repeated. A run that passed despite its break is not repeated: the app counted the break as success, and
 * an overloaded machine does not explain that.
 */
function isDoubtful({ wrong, isNamed, stated }: PlayedCell): boolean {
  return wrong !== null && stated.overloadedSeconds > 0 && (isNamed === null || stated.outcome !== 'passed');
}

function choose(
  cells: readonly Cell[],
  { names, breaks, cells: count, seed, withinSeconds }: StoryOptions,
  print: (text: string) => void,
): readonly Cell[] {
  const isChosen = ({ id, broken }: Cell): boolean =>
    (names.length === 0 || names.some((name) => id === name || id.startsWith(`${name}/`) || id.startsWith(`${name}-`))) &&
    (breaks !== 'swallow' || broken.kind === 'swallow');
  const chosenCells = cells.filter(isChosen);
  if (count !== null) return drawCells(chosenCells, count, seed);
  if (withinSeconds === null) return chosenCells;
  const part = cellsOfDay(chosenCells, withinSeconds, Date.now());
  print(`Today part ${part.number} of ${part.of}\n`);
  return part.cells;
}
