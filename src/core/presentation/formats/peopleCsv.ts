import { csvLines } from '#core/base/text.ts';
import type { RunResult } from '#core/result/schema.ts';

const COLUMNS = [
  'person',
  'end',
  'label',
  'milestone',
  'step',
  'cause',
  'reloads',
  'acknowledged',
  'stored',
  'missing',
  'stored_unacknowledged',
] as const;

/**
 * Formats one line per person: RFC 4180, with a header. Unknown values are empty. `names`: names by person, from 1. Without them, each
 * person has a pseudonym, such as “pupil 17”.
 */
export function formatPeopleCsv({ people }: Pick<RunResult, 'people'>, names: ReadonlyMap<number, string> | null = null): string {
  if (people === undefined) return csvLines([COLUMNS]);
  const rows = people.rows.map(({ person, end, label, milestone, step, cause, reloads, acknowledged, stored, missing, unacknowledged }) => [
    names?.get(person) ?? `${people.one} ${person}`,
    end,
    label,
    milestone,
    step,
    cause,
    reloads,
    acknowledged,
    stored,
    missing,
    unacknowledged,
  ]);
  return csvLines([COLUMNS, ...rows]);
}
