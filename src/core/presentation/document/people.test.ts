import { describe, expect, it } from 'vitest';
import type { PeopleResult, PersonRow } from '#core/result/people.ts';
import { sampleBell } from '#core/result/testing/sampleBell.ts';
import { arrivalsResult } from '#core/result/testing/sampleResult.ts';
import { passageLines } from '../text/textTable.ts';
import { headFigures } from './headFigures.ts';
import { formatPeopleCsv } from '../formats/peopleCsv.ts';
import { lostPeopleBlocks, peopleBlocks, personBlocks } from './people.ts';

const LINE = { milestone: null, step: null, cause: null, items: null };

function rowOf(person: number, changes: Partial<PersonRow> = {}): PersonRow {
  const counts = { reloads: 0, row: null, acknowledged: 5, stored: 5, missing: 0, unacknowledged: 0 };
  return { person, end: 'done', label: 'handed in', milestone: 'handed in', step: null, cause: null, ...counts, ...changes };
}

function pupils(changes: Partial<PeopleResult> = {}): PeopleResult {
  return {
    one: 'pupil',
    many: 'pupils',
    total: 120,
    lines: [
      { ...LINE, end: 'gaveUp', label: 'gave up at “start” (502)', step: 'start', cause: '502', people: 2 },
      { ...LINE, end: 'done', label: 'handed in', milestone: 'handed in', people: 118 },
    ],
    milestones: [{ name: 'handed in', step: 'finish', reached: 118 }],
    done: 118,
    items: {
      one: 'answer',
      many: 'answers',
      steps: ['answer'],
      each: 5,
      acknowledged: 590,
      stored: 589,
      missing: 1,
      unacknowledged: 0,
      by: 'count',
    },
    rows: [rowOf(1), rowOf(2, { end: 'gaveUp', label: 'gave up at “start” (502)', acknowledged: 0, stored: 0 }), rowOf(3, { missing: 1 })],
    further: 0,
    ...changes,
  };
}

describe('the table of people', () => {
  it('has a line for each end, and visibly adds up', () => {
    const lines = passageLines(peopleBlocks({ people: pupils() }), 100);
    expect(lines.slice(0, 6)).toEqual([
      'What became of 120 pupils',
      '  Pupils                    Count   Share',
      '  Gave up at “start” (502)      2  1.67 %',
      '  Handed in                   118  98.3 %',
      '  All pupils                  120   100 %',
      '  The lines add up to 120 pupils.',
    ]);
  });

  it('reports itself as wrong if it does not add up', () => {
    const lines = passageLines(peopleBlocks({ people: pupils({ total: 121 }) }), 200);
    expect(lines).toContain('  The lines add up to 120 of 121 pupils. This is a fault of Holdfast. Report it.');
  });

  it('compares the items with what is stored, or says that this is unknown', () => {
    expect(passageLines(peopleBlocks({ people: pupils() }), 100)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^ +Acknowledged by the server +590$/), expect.stringMatching(/missing +1$/)]),
    );
    const items = { ...pupils().items, stored: null, missing: null, unacknowledged: null, by: null } as PeopleResult['items'];
    expect(passageLines(peopleBlocks({ people: pupils({ items }) }), 100)).toContain(
      '  Whether the answers are stored is unknown: the plan does not count them.',
    );
  });

  it('lists the people who were lost or whose items differ', () => {
    const [table] = lostPeopleBlocks({ people: pupils() });
    expect(table).toMatchObject({ title: 'Pupils who were lost or whose items differ' });
    expect(table?.kind === 'table' ? table.rows.map(([who]) => who) : []).toEqual(['pupil 3', 'pupil 2']);
    expect([...peopleBlocks(arrivalsResult()), ...lostPeopleBlocks(arrivalsResult())]).toEqual([]);
  });

  it('has one row in the CSV for each person, who is identified by number unless names are given', () => {
    const lines = formatPeopleCsv({ people: pupils() }).trim().split('\r\n');
    expect(lines.slice(0, 2)).toEqual([
      'person,end,label,milestone,step,cause,reloads,acknowledged,stored,missing,stored_unacknowledged',
      'pupil 1,done,handed in,handed in,,,0,5,5,0,0',
    ]);
    expect(formatPeopleCsv({ people: pupils() }, new Map([[2, 'Anna']]))).toContain('\r\nAnna,gaveUp');
  });

  it('lists each person by number, people with missing items first', () => {
    const [table] = personBlocks({ people: pupils() });
    if (table?.kind !== 'table') throw new Error('no table');
    expect(table.rows.map(([who]) => who)).toEqual(['pupil 3', 'pupil 2', 'pupil 1']);
    const rows = Array.from({ length: 250 }, (_, index) => rowOf(index + 1));
    const [long] = personBlocks({ people: pupils({ rows, further: 10 }) });
    expect(long).toMatchObject({ note: expect.stringContaining('60 more pupils are not listed here.') });
  });

  it('provides the main figures of the result instead of figures of requests', () => {
    const figures = headFigures({ ...arrivalsResult(), people: pupils(), bells: [sampleBell()] });
    expect(figures.map(({ name, value }) => [name, value])).toEqual([
      ['Handed in', '118 of 120'],
      ['Answers stored', '589 of 590'],
      ['Last one served', '990 ms'],
      ['Failed', expect.any(String)],
    ]);
  });
});
