import { characterTable } from '#core/search/characterize/table.ts';
import { formatSearchText } from '#core/presentation/text/textReport.ts';
import { workersIn } from '#lab/testing/together.ts';
import { exactFigure, equalFigure, type Figure } from '../framework/figure.ts';
import { readReport, countOccurrences } from '../framework/paper.ts';
import { loggedPercentile } from '../framework/readings.ts';
import type { Scene } from '../framework/scene.ts';
import { story } from '../framework/story.ts';
import { findOut, startMysteries, type Found, type Mystery } from './mysteries.ts';

const SETTINGS = { maxUsers: 32, secondsEach: 1 };
const COLUMNS = 7;

export const twoTables = story({
  id: 'node-vs-gunicorn/two-tables',
  statement: 'Server, kind, response time, workers: the same table on screen and on paper.',
  owner: 'conclusions',
  usualSeconds: 43,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ workers: dice.whole(5, 7), serviceMs: dice.step(60, 80, 5), delayMs: dice.step(60, 80, 5) }),
  async play(scene, { workers, serviceMs, delayMs }) {
    const mysteries = await startMysteries(scene, { workers, serviceMs, delayMs });
    const waiting = await findOut(scene, mysteries.synchronous, SETTINGS);
    const flat = await findOut(scene, mysteries.asynchronous, SETTINGS);
    await mysteries.stop();
    const waitingLines = await mysteries.synchronous.lines();
    const flatLines = await mysteries.asynchronous.lines();
    const truth = workersIn(waitingLines);
    return [
      equalFigure('sent to the one with workers', waiting.sent, waitingLines.length),
      equalFigure('sent to the other', flat.sent, flatLines.length),
      ...(await tableFigures(scene, waiting, mysteries.synchronous, 'synchronous')),
      {
        name: 'workers in the table',
        unit: '',
        predicted: workers,
        measured: numberIn(waiting, mysteries.synchronous, 'Workers'),
        logged: truth.workers,
        within: 1,
      },
      ...(await tableFigures(scene, flat, mysteries.asynchronous, 'asynchronous')),
      {
        name: 'response time in the table',
        unit: 'ms',
        predicted: delayMs,
        measured: numberIn(flat, mysteries.asynchronous, 'Time of a response'),
        logged: loggedPercentile(flatLines, 50),
        within: 0.15 * delayMs,
      },
    ];
  },
});

/** Returns figures that check whether the row for a server appears on the terminal and in the server's report. */
async function tableFigures(scene: Scene, { result, conclusion }: Found, { url }: Mystery, kind: string): Promise<Figure[]> {
  const { row } = characterTable(conclusion, url);
  const report = await readReport(scene, { searchId: result.search.id });
  const screen = formatSearchText(result);
  return [
    exactFigure(`called ${kind}`, 1, row[1] === kind ? 1 : 0, null),
    exactFigure('its cells on screen', COLUMNS, row.filter((cell) => screen.includes(cell)).length, null),
    // The cells must follow each other, whatever the line breaks.
    exactFigure('its row on paper', 1, countOccurrences(report, row.join('')), null),
  ];
}

function numberIn({ conclusion }: Found, { url }: Mystery, name: string): number | null {
  const { columns, row } = characterTable(conclusion, url);
  const value = Number.parseFloat(row[columns.findIndex((column) => column.name === name)] ?? '');
  return Number.isNaN(value) ? null : value;
}
