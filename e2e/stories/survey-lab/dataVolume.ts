import { z } from 'zod';
import { dataVolume as calculator } from '#core/calculators/registry.ts';
import { requireInputs } from '#core/calculators/calculator.ts';
import { exactly } from '../framework/figure.ts';
import { withStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { about, SMALL, upload, UPLOAD, uploadVariables, senderFile } from './survey.ts';

/** Size of the two smaller versions of a photo in bytes. */
const SMALLER_BYTES = 3_175 + 2_632;
const RESPONDED = 75;

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
    // Different from the first year; otherwise the third year would equal the sum of the two before.
    const added = schools + more;
    const ofYear = (year: number): number => ((schools + added * (year - 1)) * students * days * RESPONDED) / 100;
    const before = ofYear(1) + ofYear(2);
    const all = before + ofYear(3);
    // One class per school with one upload a day. The stated figures are of kinds that are easily confused.
    const { table, notes } = calculator.calculate(
      requireInputs(calculator, {
        ...numbers({ years: 3, schools, 'schools-added': added, teachers: 1, classes: 1, students, campaigns: 1, days }),
        ...numbers({ 'responses-a-day': 1, responded: RESPONDED, 'photo-bytes': photoBytes }),
        ...numbers({ 'stated-teachers': 3 * schools + 3 * added, 'stated-responses': before }),
      }),
    );
    const reckoned = (label: string, column: number): number => table.rows.find((row) => row.label === label)?.values[column] ?? NaN;
    // The first two years exist; the third is uploaded.
    const lab = await scene.lab('survey-lab', { ...SMALL, responses: scene.hidden(before), 'upload-ms': 0 });
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      feeds: { accounts: { file: await senderFile(scene, lab), order: 'random' } },
      variables: uploadVariables,
      journey: [upload(photoBytes)],
      load: { model: 'connections', stages: [{ connections: 4, requests: reckoned('Responses', 2) }] },
    });
    const lines = await lab.linesWhen(ofYear(3), 'nginx', about(UPLOAD));
    const stored = storedSchema.parse(await lab.act('count-stored'));
    return [
      exactly('responses of the third year', ofYear(3), reckoned('Responses', 2), stored.responses),
      exactly('uploads that were acknowledged', ofYear(3), result.outcomes.requests.ok, withStatus(lines, 200)),
      exactly('rows after three years', all, reckoned('Responses', 3), stored['all responses']),
      exactly('bytes of the third year’s photos', ofYear(3) * (photoBytes + SMALLER_BYTES), reckoned('Photos on disk', 2), stored.bytes),
      exactly('teachers in the end', schools + 2 * added, reckoned('Teachers', 3), null),
      exactly('stated figures that it warns of', 2, notes.filter(({ level }) => level === 'warning').length, null),
    ];
  },
});

/** As form inputs. */
function numbers(given: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
}
