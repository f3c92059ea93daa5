import { formatCount, formatPart, formatShare } from '#core/base/units.ts';
import { withoutAbsent, sumOf } from '#core/base/lists.ts';
import { capitalize } from '#core/base/text.ts';
import type { PeopleResult, PersonRow } from '#core/result/people.ts';
import type { RunResult } from '#core/result/schema.ts';
import { column, numbers, pairs, type Passage, table, type Tile } from './model.ts';

type Items = NonNullable<PeopleResult['items']>;

/** Returns the outcomes of people: a line for each kind of end, their sum, and what became of the people's items. */
export function peopleBlocks({ people }: Pick<RunResult, 'people'>): Passage[] {
  if (people === undefined) return [];
  const { many, total, lines } = people;
  const all = { label: `All ${many}`, people: total };
  return [
    ...table(
      `What became of ${formatCount(total)} ${many}`,
      [...lines, all],
      [
        column(capitalize(many), ({ label }) => capitalize(label)),
        numbers('Count', ({ people: count }) => formatCount(count)),
        numbers('Share', ({ people: count }) => (total === 0 ? '–' : formatShare(count / total))),
      ],
      sumNote(people),
    ),
    // Two narrow tables in a row are shown side by side on a screen.
    ...(people.items === null ? [] : itemBlocks(people.items)),
    ...pairs(
      'Milestones',
      people.milestones.map(({ name, reached }) => [capitalize(name), `${formatCount(reached)} of ${formatCount(total)}`]),
    ),
  ];
}

/** Returns whether the lines add up, as a sentence. */
function sumNote({ total, lines, many }: PeopleResult): string {
  const sum = sumOf(lines, ({ people }) => people);
  return sum === total
    ? `The lines add up to ${formatCount(total)} ${many}.`
    : `The lines add up to ${formatCount(sum)} of ${formatCount(total)} ${many}. This is a fault of Holdfast. Report it.`;
}

const COMPARED_BY: Readonly<Record<NonNullable<Items['by']>, string>> = {
  count: 'Compared with what the server stored, by a count after the load.',
  readBack: 'Compared with what the server stored, by a step that reads it back.',
};

function itemBlocks({ many, acknowledged, stored, missing, unacknowledged, by }: Items): Passage[] {
  const rows = withoutAbsent([
    ['Acknowledged by the server', acknowledged, false] as const,
    stored !== null && (['stored', stored, true] as const),
    missing !== null && (['missing', missing, true] as const),
    unacknowledged !== null && (['Stored without an acknowledgment', unacknowledged, false] as const),
  ]);
  return table(
    capitalize(many),
    rows,
    [column(capitalize(many), ([name, , isPart]) => ({ text: name, isPart })), numbers('Count', ([, count]) => formatCount(count))],
    by === null ? `Whether the ${many} are stored is unknown: the plan does not count them.` : COMPARED_BY[by],
  );
}

/** Maximum number of rows. A longer table does not help; the CSV contains every person. */
const MAX_ROWS = 200;

/** Returns a table with a row for each person who was lost or whose items differ, by pseudonym. */
export function lostPeopleBlocks({ people }: Pick<RunResult, 'people'>): Passage[] {
  if (people === undefined) return [];
  const rows = people.rows.filter((row) => urgency(row) > 0);
  return tableOfPeople(people, rows, `${capitalize(people.many)} who were lost or whose items differ`);
}

/** Returns a table with a row for each person, who is identified by a number only. */
export function personBlocks({ people }: Pick<RunResult, 'people'>): Passage[] {
  return people === undefined ? [] : tableOfPeople(people, people.rows, `Each ${people.one}`);
}

/** Makes the table. People with missing items come first, then those who did not reach the aim. */
function tableOfPeople({ one, many, further, items }: PeopleResult, rows: readonly PersonRow[], title: string): Passage[] {
  const ordered = rows.toSorted((a, b) => urgency(b) - urgency(a) || a.person - b.person);
  const left = Math.max(0, rows.length - MAX_ROWS) + further;
  const count = (value: number | null): string => (value === null ? '–' : formatCount(value));
  return table(
    title,
    ordered.slice(0, MAX_ROWS),
    [
      column(capitalize(one), ({ person }) => `${one} ${person}`),
      column('What became', ({ label }) => label),
      numbers('Reloads', ({ reloads }) => formatCount(reloads)),
      ...(items === null
        ? []
        : [
            numbers<PersonRow>('Acknowledged', ({ acknowledged }) => formatCount(acknowledged)),
            numbers<PersonRow>('Stored', ({ stored }) => count(stored)),
            numbers<PersonRow>('Missing', ({ missing }) => count(missing)),
            numbers<PersonRow>('Without acknowledgment', ({ unacknowledged }) => count(unacknowledged)),
          ]),
    ],
    left > 0 ? `${formatCount(left)} more ${many} are not listed here. Save all with holdfast report RUN --people FILE.` : undefined,
  );
}

function urgency({ end, missing, unacknowledged }: PersonRow): number {
  return ((missing ?? 0) > 0 ? 4 : 0) + ((unacknowledged ?? 0) > 0 ? 2 : 0) + (end === 'done' ? 0 : 1);
}

/** Returns the main figures of people: how many reached the aim, and what became of their items; none without people. */
export function peopleTiles({ people }: Pick<RunResult, 'people'>): Tile[] {
  if (people === undefined || people.total === 0) return [];
  const { done, total, many, milestones, items } = people;
  const aim = milestones.at(-1)?.name ?? 'finished';
  return [
    { name: capitalize(aim), value: `${formatCount(done)} of ${formatCount(total)}`, note: many },
    ...(items === null ? [] : [itemTile(items)]),
  ];
}

function itemTile({ many, acknowledged, stored, missing }: Items): Tile {
  const name = `${capitalize(many)} stored`;
  if (stored !== null) return { name, value: formatPart(stored, acknowledged), note: `acknowledged ${many}` };
  return missing === null
    ? { name: `${capitalize(many)} acknowledged`, value: formatCount(acknowledged), note: 'whether they are stored is unknown' }
    : { name: `${capitalize(many)} missing`, value: formatCount(missing), note: `of ${formatCount(acknowledged)} acknowledged` };
}
