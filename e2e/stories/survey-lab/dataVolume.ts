import { z } from 'zod';
import { dataVolume as calculator } from '#core/calculators/registry.ts';
import { requireInputs } from '#core/calculators/calculator.ts';
import { exactFigure } from '../framework/figure.ts';
import { countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isAbout, SMALL, upload, UPLOAD, uploadVariables, senderFile } from './survey.ts';

/** Size in bytes of a photo's two smaller versions together. */
const SMALLER_BYTES = 3_175 + 2_632;
const RESPONSE_PERCENT = 75;

const storedSchema = z.object({ responses: z.number(), 'all responses': z.number(), bytes: z.number() });

export const dataVolume = story({
  id: 'survey-lab/data-volume',
  statement: 'Uploads, rows and bytes of the second year and the third, by the calculator.',
  owner: 'measure',
  usualSeconds: 7,
  needs: ['nginx'],
  draw: (dice) => ({
    schools: dice.whole(1, 2),
    more: dice.whole(1, 2),
    students: dice.step(4, 8, 4),
    days: dice.whole(5, 7),
    photoBytes: dice.step(4_000, 9_000, 500),
  }),
  async play(scene, { schools, more, students, days, photoBytes }) {
    // More schools are added each year than there are in the first year. Otherwise, the third year would equal the sum of the first two.
    const added = schools + more;
    const responsesOfYear = (year: number): number => ((schools + added * (year - 1)) * students * days * RESPONSE_PERCENT) / 100;
    const before = responsesOfYear(1) + responsesOfYear(2);
    const all = before + responsesOfYear(3);
    // Each school has one class with one upload a day. The compared figures are those that are easily confused: uploads, rows and bytes.
    const { table, notes } = calculator.calculate(
      requireInputs(calculator, {
        ...numbers({ years: 3, schools, 'schools-added': added, teachers: 1, classes: 1, students, campaigns: 1, days }),
        ...numbers({ 'responses-a-day': 1, responded: RESPONSE_PERCENT, 'photo-bytes': photoBytes }),
        ...numbers({ 'stated-teachers': 3 * schools + 3 * added, 'stated-responses': before }),
      }),
    );
    const tableValue = (label: string, column: number): number => table.rows.find((row) => row.label === label)?.values[column] ?? NaN;
    // The data of the first two years already exists, and that of the third year is uploaded.
    const lab = await scene.lab('survey-lab', { ...SMALL, responses: scene.hidden(before), 'upload-ms': 0 });
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      variables: uploadVariables,
      journey: [upload(photoBytes)],
      load: { model: 'connections', stages: [{ connections: 4, requests: tableValue('Responses', 2) }] },
    });
    const lines = await lab.linesWhen(responsesOfYear(3), 'nginx', isAbout(UPLOAD));
    const stored = storedSchema.parse(await lab.act('count-stored'));
    return [
      exactFigure('responses of the third year', responsesOfYear(3), tableValue('Responses', 2), stored.responses),
      exactFigure('uploads that were acknowledged', responsesOfYear(3), result.outcomes.requests.ok, countWithStatus(lines, 200)),
      exactFigure('rows after three years', all, tableValue('Responses', 3), stored['all responses']),
      exactFigure(
        'bytes of the third year’s photos',
        responsesOfYear(3) * (photoBytes + SMALLER_BYTES),
        tableValue('Photos on disk', 2),
        stored.bytes,
      ),
      exactFigure('teachers in the end', schools + 2 * added, tableValue('Teachers', 3), null),
      exactFigure('stated figures that it warns of', 2, notes.filter(({ level }) => level === 'warning').length, null),
    ];
  },
});

/** Returns numbers in the form of a form's inputs. */
function numbers(inputs: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)]));
}
