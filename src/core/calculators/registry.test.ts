import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatVolume, type GivenInputs, type Note, requireInputs } from './calculator.ts';
import { dataVolume } from './registry.ts';
import { bytesPerPhoto, rowBytesPerResponse, findStoredGap, computeVolume } from './dataVolume.ts';

const GIBIBYTE = 2 ** 30;
const listValues = (given: GivenInputs = {}) => requireInputs(dataVolume, given);
const listNotes = (given: GivenInputs): readonly Note[] => dataVolume.calculate(listValues(given)).notes;
const noteAbout = (given: GivenInputs, pattern: RegExp): string | undefined => {
  const note = listNotes(given).find(({ text }) => pattern.test(text));
  return note && `${note.level}: ${note.text}`;
};

describe('data volume of a survey project', () => {
  it('is the amount that schools submit in two years', () => {
    const { years, total } = computeVolume(listValues({ years: 2 }));
    expect(years.map(({ teachers, classes, students, responses }) => [teachers, classes, students, responses])).toEqual([
      [40, 80, 2_400, 972_000],
      [120, 240, 7_200, 2_916_000],
    ]);
    expect(total).toMatchObject({ teachers: 120, classes: 320, students: 9_600, responses: 3_888_000, prompts: 38_880_000 });
    expect([bytesPerPhoto(listValues()), total.responses / total.students]).toEqual([104_638, 405]);
    expect([total.photoBytes, (total.photoBytes / GIBIBYTE).toFixed(2)]).toEqual([406_832_544_000, '378.89']);
  });

  it('is the same for the same number of teachers in other schools', () => {
    const { years, total } = computeVolume(listValues({ schools: 40, 'schools-added': 80, teachers: 1 }));
    expect(years.map(({ teachers }) => teachers)).toEqual([40, 120, 200]);
    expect(total).toMatchObject({
      schools: 200,
      teachers: 200,
      classes: 720,
      students: 21_600,
      possible: 11_664_000,
      responses: 8_748_000,
    });
  });

  it('includes rows besides photos', () => {
    const stored = 8_722_312;
    const rows = stored * rowBytesPerResponse(listValues());
    const photos = stored * bytesPerPhoto(listValues());
    expect(rows / GIBIBYTE).toBeCloseTo(31.05, 2);
    expect([(photos / GIBIBYTE).toFixed(1), (photos / 1e9).toFixed(1)]).toEqual(['850.0', '912.7']);
    expect(formatVolume(photos)).toBe('913 GB (850 GiB)');
  });

  it('grows each year and is 0 without people', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 1, max: 10 }),
        (schools, added, years) => {
          const volume = computeVolume(listValues({ schools, 'schools-added': added, years }));
          const responses = volume.years.map((year) => year.responses);
          expect(responses).toEqual(responses.toSorted((one, other) => one - other));
          expect(volume.total.responses).toBe(responses.reduce((all, one) => all + one, 0));
          expect(volume.total.photoBytes).toBe(volume.total.photos * 104_638);
          if (schools + added === 0) expect(volume.total.rowBytes).toBe(0);
        },
      ),
    );
  });

  it('spreads the uploads of a day over the hours in which students respond', () => {
    const { years } = computeVolume(listValues());
    expect(years[2]?.uploadsPerSecond).toBeCloseTo((12_000 * 4 * 0.75) / 43_200, 12);
  });
});

describe('stated figures', () => {
  it('are identified as those of a year, of all years, or of some years', () => {
    expect(noteAbout({ 'stated-students': 7_200 }, /students/)).toMatch(/^info: “7,200 students” is the figure of year 2/);
    expect(noteAbout({ 'stated-students': 21_600 }, /students/)).toMatch(/^info: .*total of all 3 years, not the figure of one/);
    expect(noteAbout({ 'stated-responses': 3_888_000 }, /responses” is/)).toMatch(
      /^warning: .*total after 2 years, not what each year brings/,
    );
  });

  it('are recognized as counting the same teachers again each year', () => {
    expect(noteAbout({ 'stated-teachers': 360 }, /same people/)).toMatch(/^warning: “360 teachers” .* 3 years; in year 3 there are 200/);
    expect(noteAbout({ 'stated-teachers': 200 }, /year 3/)).toMatch(/^info/);
    expect(
      listNotes({})
        .map(({ text }) => text)
        .join(),
    ).toContain('200 in the end, not the 360');
  });

  it('are recognized as binary gigabytes', () => {
    expect(noteAbout({ 'stated-gigabytes': 378.89, years: 2 }, /GiB\), which/)).toMatch(/^warning: .*it is 407 GB/);
    expect(noteAbout({ 'stated-gigabytes': 850, 'stored-responses': 8_722_312 }, /GiB\), which/)).toMatch(
      /^warning: .*it is 913 GB.*stored responses/,
    );
    expect(noteAbout({ 'stated-gigabytes': 850 }, /does not follow/)).toMatch(/^problem: .*nearest is 915 GB/);
    expect(noteAbout({ 'stated-gigabytes': 407, years: 2 }, /^“407 GB/)).toMatch(/^info/);
  });

  it('are a problem if they match no expected figure', () => {
    expect(noteAbout({ 'stated-students': 8_000 }, /does not follow/)).toMatch(/^problem: 8,000 students.*nearest is 7,200/);
  });

  it('are compared with the variation by chance if fewer responses are stored', () => {
    const { share, missing, deviations } = findStoredGap(8_722_312, 11_664_000, 0.75);
    expect([share.toFixed(4), missing, Math.round(deviations)]).toEqual(['0.7478', 25_688, 17]);
    expect(noteAbout({ 'stored-responses': 8_722_312 }, /are stored/)).toMatch(
      /^warning: .*25,688 fewer .*17\.4 standard deviations.*not chance/,
    );
    expect(noteAbout({ 'stored-responses': 8_747_000 }, /are stored/)).toMatch(/^info: .*Chance/);
    expect(noteAbout({ 'stored-responses': 12_000_000 }, /are stored/)).toMatch(/^problem: .*more than the 11,664,000/);
    expect(noteAbout({ 'stored-responses': 100, answered: 100 }, /are stored/)).toMatch(/^warning: .*That is not chance but/);
    expect(noteAbout({ 'stored-responses': 8_722_312 }, /photos take/)).toContain('913 GB (850 GiB)');
  });

  it('give the size of a row', () => {
    expect(noteAbout({ 'table-rows': 50e6, 'table-gigabytes': 65 }, /A row of your table/)).toContain(
      'takes 1.3 kB with its indexes, or 1.4 kB',
    );
  });
});

describe('contradictory inputs', () => {
  it('are reported: a disk that fills up early, or days beyond a year', () => {
    expect(noteAbout({ 'disk-gigabytes': 320 }, /disk/)).toMatch(/^problem: .*full in year 2/);
    expect(noteAbout({ 'disk-gigabytes': 1_000 }, /disk/)).toMatch(/^info/);
    expect(noteAbout({ campaigns: 9 }, /days of campaigns/)).toMatch(/^warning: 405 days/);
    expect(noteAbout({}, /days of campaigns/)).toBeUndefined();
  });

  it('are listed by severity: problems, warnings, then information', () => {
    const levels = listNotes({ 'disk-gigabytes': 320, campaigns: 9, 'stated-students': 1 }).map(({ level }) => level);
    expect(levels).toEqual(levels.toSorted((one, other) => 'pwi'.indexOf(one.charAt(0)) - 'pwi'.indexOf(other.charAt(0))));
  });
});

describe('readInputs', () => {
  it('reports all unusable inputs at once', () => {
    const read = (): unknown => listValues({ years: 0, students: '3.5', answered: 'many', campaigns: ' ', 'stated-teachers': '' });
    expect(read).toThrow(
      expect.objectContaining({
        code: 'BAD_INPUT',
        hint: expect.stringMatching(/--years: .*\n--students: .*whole.*\n--campaigns: .*\n--answered: [^\n]*$/),
      }),
    );
  });
});
