import { formatCount, formatShare } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { PersonRow } from '#core/result/people.ts';
import { column, list, numbers, type Passage, table } from './model.ts';

/** Maximum number of people who are listed one by one. */
const MAX_LISTED = 100;

/** Returns what became of the people: one line for each kind of end, the milestones, and the people who are lost or whose items differ. */
export function peopleBlocks({ people }: Pick<RunResult, 'people'>): Passage[] {
  if (people === undefined || people.total === 0) return [];
  const { one, many, total, lines, milestones, items, rows, further } = people;
  const unusual = rows.filter(({ end, missing, unacknowledged }) => end !== 'done' || (missing ?? 0) + (unacknowledged ?? 0) > 0);
  const shown = unusual.slice(0, MAX_LISTED);
  const left = unusual.length - shown.length + further;
  return [
    ...table(
      `What became of ${formatCount(total)} ${many}`,
      [...lines.map(({ label, people: count }) => ({ label, count })), { label: 'All', count: total }],
      [
        column('End', ({ label }) => label),
        numbers(nameColumn(many), ({ count }) => formatCount(count)),
        numbers('Share', ({ count }) => formatShare(count / total)),
      ],
    ),
    ...list(
      'Milestones',
      milestones.map(({ name, reached }) => `${name}: ${formatCount(reached)} of ${formatCount(total)}`),
    ),
    ...(items === null ? [] : list('Items of people', describeItems(items))),
    ...table(
      `${nameColumn(many)} who were lost or whose items differ`,
      shown,
      [
        column(nameColumn(one), ({ person }) => formatCount(person)),
        column('End', ({ label }) => label),
        numbers('Reloads', ({ reloads }) => formatCount(reloads)),
        ...(items === null
          ? []
          : [
              numbers<PersonRow>('Acknowledged', ({ acknowledged }) => formatCount(acknowledged)),
              numbers<PersonRow>('Stored', ({ stored }) => (stored === null ? '–' : formatCount(stored))),
              numbers<PersonRow>('Missing', ({ missing }) => (missing === null ? '–' : formatCount(missing))),
            ]),
      ],
      left > 0 ? `${formatCount(left)} more are not listed here. Save all with holdfast report RUN --people FILE.` : undefined,
    ),
  ];
}

function nameColumn(noun: string): string {
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

function describeItems({
  many,
  acknowledged,
  stored,
  missing,
  unacknowledged,
  by,
}: NonNullable<NonNullable<RunResult['people']>['items']>): string[] {
  if (by === null || stored === null) return [`${formatCount(acknowledged)} ${many} were acknowledged. Unknown whether they are stored.`];
  return [
    `Acknowledged and stored: ${formatCount(stored)} of ${formatCount(acknowledged)}`,
    `Acknowledged and missing: ${formatCount(missing ?? 0)}`,
    ...(unacknowledged === null ? [] : [`Stored without acknowledgement: ${formatCount(unacknowledged)}`]),
  ];
}
