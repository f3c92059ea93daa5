import { type CalculatorValues, formatVolume, type InputGroup, type Note } from './calculator.ts';
import { formatBytes, formatCount, formatNumber, formatPercent } from '#core/base/units.ts';

const optionalCount = (label: string, help = ''): InputGroup['inputs'][string] => ({
  label,
  help,
  default: null,
  min: 1,
  max: 1e15,
  whole: false,
});
const byteInput = (label: string, usual: number): InputGroup['inputs'][string] => ({ label, unit: 'B', default: usual, min: 0, max: 1e12 });

/** Defaults of a survey project in schools, whose students submit a photo with each response. */
export const dataVolumeGroups = [
  {
    title: 'Who takes part',
    inputs: {
      years: { label: 'For how many years?', default: 3, min: 1, max: 10, unit: 'years' },
      schools: { label: 'Schools in the first year', default: 10, min: 0, max: 1e6 },
      'schools-added': { label: 'Schools that join each year after', default: 20, min: 0, max: 1e6 },
      teachers: { label: 'Teachers in a school', default: 4, min: 0, max: 1e4 },
      classes: { label: 'Classes of a teacher', help: 'Each year has new classes and new students.', default: 2, min: 0, max: 100 },
      students: { label: 'Students in a class', default: 30, min: 0, max: 1e4 },
    },
  },
  {
    title: 'What they hand in',
    inputs: {
      campaigns: { label: 'Campaigns of a class in a year', default: 3, min: 0, max: 1e3 },
      days: { label: 'Days of a campaign', default: 45, min: 0, max: 366, unit: 'days' },
      'responses-a-day': { label: 'Responses asked for on a day', default: 4, min: 0, max: 1e4, whole: false },
      answered: { label: 'Share of them that is completed', default: 75, min: 0, max: 100, whole: false, unit: '%' },
      prompts: { label: 'Prompts of a response', default: 10, min: 0, max: 1e4 },
      'photo-share': { label: 'Share of the responses with a photo', default: 100, min: 0, max: 100, whole: false, unit: '%' },
      'active-hours': { label: 'Active hours of a day', default: 12, min: 1, max: 24, whole: false, unit: 'h' },
    },
  },
  {
    title: 'How large it is',
    folded: true,
    inputs: {
      'photo-bytes': byteInput('A photo', 98_831),
      'small-photo-bytes': byteInput('Its smaller copy', 3_175),
      'icon-bytes': byteInput('Its icon', 2_632),
      'response-row-bytes': byteInput('A row for a response, with its indexes', 452),
      'prompt-row-bytes': byteInput('A row for a prompt, with its indexes', 337),
      'disk-gigabytes': { ...optionalCount('Size of the disk for it'), unit: 'GB' },
    },
  },
  {
    title: 'Figures to check',
    folded: true,
    inputs: {
      'stated-teachers': optionalCount(
        'Teachers, as somebody stated them',
        'Stated figures are compared with each year and with the totals.',
      ),
      'stated-students': optionalCount('Students, as stated'),
      'stated-responses': optionalCount('Responses, as stated'),
      'stated-gigabytes': { ...optionalCount('Photos, as stated'), unit: 'GB' },
      'stored-responses': optionalCount('Responses that are really stored', 'Compared with the expected share, within chance.'),
      'table-rows': optionalCount('Rows of a table that you have'),
      'table-gigabytes': { ...optionalCount('Size of that table'), unit: 'GB' },
    },
  },
] as const satisfies readonly InputGroup[];

type NamesOf<Groups extends readonly InputGroup[]> = { [Index in keyof Groups]: keyof Groups[Index]['inputs'] }[number];
type InputName = NamesOf<typeof dataVolumeGroups>;

/** Returns the value of an input that has a default and is therefore never null. */
function requireValue(values: CalculatorValues, name: InputName): number {
  return values[name] ?? 0;
}

function optionalValue(values: CalculatorValues, name: InputName): number | null {
  return values[name] ?? null;
}

export interface VolumeYear {
  readonly schools: number;
  readonly teachers: number;
  readonly classes: number;
  readonly students: number;
  /** Number of responses if everybody responded every time. */
  readonly possible: number;
  readonly responses: number;
  readonly prompts: number;
  readonly photos: number;
  readonly photoBytes: number;
  readonly rowBytes: number;
  /** Uploads per second in the hours in which people respond, with one campaign at a time. */
  readonly uploadsPerSecond: number;
}

const SUMMED_FIELDS = ['classes', 'students', 'possible', 'responses', 'prompts', 'photos', 'photoBytes', 'rowBytes'] as const;
type SummedField = (typeof SUMMED_FIELDS)[number];

export interface Volume {
  readonly years: readonly VolumeYear[];
  /** Sum of all years. Schools and teachers remain, so their last year counts. */
  readonly total: Pick<VolumeYear, SummedField | 'schools' | 'teachers'>;
}

/** Returns the bytes of a photo on disk, including the server's copies. */
export function bytesPerPhoto(values: CalculatorValues): number {
  return requireValue(values, 'photo-bytes') + requireValue(values, 'small-photo-bytes') + requireValue(values, 'icon-bytes');
}

/** Returns the row bytes of a response, including its prompts. */
export function rowBytesPerResponse(values: CalculatorValues): number {
  return requireValue(values, 'response-row-bytes') + requireValue(values, 'prompts') * requireValue(values, 'prompt-row-bytes');
}

/**
 * Computes the data accumulated over the years: students × campaigns × days × responses per day × response rate, times their bytes.
 * Fractional counts are rounded per year.
 */
export function computeVolume(values: CalculatorValues): Volume {
  const years = Array.from({ length: requireValue(values, 'years') }, (_, year) => computeYear(values, year));
  const last = years.at(-1);
  const sum = (what: SummedField): number => years.reduce((all, year) => all + year[what], 0);
  return {
    years,
    total: {
      schools: last?.schools ?? 0,
      teachers: last?.teachers ?? 0,
      classes: sum('classes'),
      students: sum('students'),
      possible: sum('possible'),
      responses: sum('responses'),
      prompts: sum('prompts'),
      photos: sum('photos'),
      photoBytes: sum('photoBytes'),
      rowBytes: sum('rowBytes'),
    },
  };
}

function computeYear(values: CalculatorValues, year: number): VolumeYear {
  const schools = requireValue(values, 'schools') + year * requireValue(values, 'schools-added');
  const teachers = schools * requireValue(values, 'teachers');
  const classes = teachers * requireValue(values, 'classes');
  const students = classes * requireValue(values, 'students');
  const aDay = requireValue(values, 'responses-a-day');
  const answered = requireValue(values, 'answered') / 100;
  const possible = Math.round(students * requireValue(values, 'campaigns') * requireValue(values, 'days') * aDay);
  const responses = Math.round(possible * answered);
  const photos = Math.round((responses * requireValue(values, 'photo-share')) / 100);
  return {
    schools,
    teachers,
    classes,
    students,
    possible,
    responses,
    prompts: responses * requireValue(values, 'prompts'),
    photos,
    photoBytes: photos * bytesPerPhoto(values),
    rowBytes: responses * rowBytesPerResponse(values),
    uploadsPerSecond: (students * aDay * answered) / (requireValue(values, 'active-hours') * 3_600),
  };
}

/** Expected figures of one kind, for comparison with a stated one. */
interface ExpectedFigures {
  /** Noun in a sentence: "students". */
  readonly what: string;
  readonly perYear: readonly number[];
  /** True if the same schools or people are counted again the next year, so that a sum over years contains them more than once. */
  readonly staying: boolean;
  readonly format: (value: number) => string;
  /** Other unit of the figure, such as binary gigabytes: its factor and name. */
  readonly otherUnit?: { readonly factor: number; readonly name: string };
  /** Another possible figure, and its meaning. */
  readonly also?: { readonly value: number; readonly meaning: string };
}

/**
 * Explains what a stated figure may be: one year's figure, a total, a total mistaken for one year's figure, people counted again each year,
 * or another unit.
 */
function judgeStated(stated: number, expected: ExpectedFigures): Note {
  const { what, format, otherUnit } = expected;
  const plain = findMeaning(stated, expected);
  if (plain) return plain;
  if (otherUnit) {
    const found = findMeaning(stated * otherUnit.factor, expected, significantDigits(stated));
    if (found)
      return {
        level: 'warning',
        text: `${format(stated)} ${what}, as stated, is counted in ${otherUnit.name}, which are larger: it is ${format(stated * otherUnit.factor)}. ${found.text}`,
      };
  }
  const all = [...expected.perYear, ...runningTotals(expected.perYear), ...(expected.also ? [expected.also.value] : [])];
  const [nearest = 0] = all.toSorted((one, other) => Math.abs(one - stated) - Math.abs(other - stated));
  return {
    level: 'problem',
    text: `${format(stated)} ${what}, as stated, does not follow from these inputs, neither for a year nor in total; the nearest is ${format(nearest)}.`,
  };
}

function findMeaning(
  value: number,
  { what, perYear, staying, format, also }: ExpectedFigures,
  digits = significantDigits(value),
): Note | null {
  const matchesDigits = (exact: number): boolean => Number(exact.toPrecision(digits)) === Number(value.toPrecision(digits));
  const shown = `“${format(value)} ${what}”`;
  if (also && matchesDigits(also.value)) return { level: 'info', text: `${shown} is ${also.meaning}.` };
  const year = perYear.findIndex(matchesDigits);
  if (year !== -1) return { level: 'info', text: `${shown} is the figure of year ${year + 1}.` };
  const after = runningTotals(perYear).findIndex(matchesDigits);
  if (after === -1) return null;
  if (staying)
    return {
      level: 'warning',
      text: `${shown} counts the same people again in each of ${after + 1} years; in year ${after + 1} there are ${format(perYear[after] ?? 0)}.`,
    };
  return after === perYear.length - 1
    ? { level: 'info', text: `${shown} is the total of all ${perYear.length} years, not the figure of one.` }
    : { level: 'warning', text: `${shown} is the total after ${after + 1} years, not what each year brings.` };
}

function runningTotals(perYear: readonly number[]): number[] {
  let total = 0;
  return perYear.map((value) => (total += value));
}

/**
 * Returns the number of significant digits of a stated figure: 9,600 has 2, 378.89 has 5. Returns at least 2, because 400 does not mean any
 * number from 350 on.
 */
function significantDigits(value: number): number {
  const digits = value.toExponential().split('e')[0]?.replaceAll(/\D/g, '').length ?? 2;
  return Math.max(2, Math.min(digits, 15));
}

/** Number of standard deviations from which chance is ruled out, because chance causes a gap of this size once in 15,000 cases. */
const MIN_SIGNIFICANT_DEVIATIONS = 4;

interface StoredGap {
  /** Stored share of all possible responses. */
  readonly share: number;
  /** Number of expected responses that are missing; negative if there are more than expected. */
  readonly missing: number;
  /** Difference in standard deviations of a binomial count; infinite without variance. */
  readonly deviations: number;
}

/** Compares the stored number with a binomial count: `possible` occasions, each with the probability `answered` (0 to 1). */
export function findStoredGap(stored: number, possible: number, answered: number): StoredGap {
  const missing = Math.round(possible * answered) - stored;
  const deviation = Math.sqrt(possible * answered * (1 - answered));
  return { share: possible === 0 ? 0 : stored / possible, missing, deviations: missing === 0 ? 0 : missing / deviation };
}

function judgeStored(stored: number, possible: number, answered: number): Note {
  const { share, missing, deviations } = findStoredGap(stored, possible, answered);
  if (stored > possible)
    return {
      level: 'problem',
      text: `${formatCount(stored)} responses are stored, more than the ${formatCount(possible)} that were asked for.`,
    };
  const size = Math.abs(deviations);
  const gap = `${formatCount(stored)} responses are stored, ${formatCount(Math.abs(missing))} ${missing < 0 ? 'more' : 'fewer'} than expected: ${formatPercent(share, 4)} were completed`;
  if (size <= MIN_SIGNIFICANT_DEVIATIONS) return { level: 'info', text: `${gap}. Chance alone may do that.` };
  const distanceText = Number.isFinite(size) ? `${formatNumber(size)} standard deviations away: ` : '';
  const cause = missing > 0 ? 'uploads that failed, or fewer people than planned' : 'more people than planned';
  return { level: 'warning', text: `${gap}. That is ${distanceText}not chance but ${cause}.` };
}

const GIGABYTE = 1e9;
const BINARY_PER_DECIMAL = 2 ** 30 / GIGABYTE;
const DAYS_PER_YEAR = 365;
/** Share from which photos dominate the disk usage. */
const MIN_DOMINANT_SHARE = 0.8;

/** Returns remarks about the table, the most severe first. */
export function dataVolumeNotes(values: CalculatorValues, volume: Volume): Note[] {
  const grave = { problem: 0, warning: 1, info: 2 };
  return [
    ...diskNotes(values, volume),
    ...calendarNotes(values),
    ...noteStatedTotals(values, volume),
    ...noteStored(values, volume),
    ...rowNotes(values),
    ...photoNotes(volume),
    ...teacherNotes(volume),
  ].toSorted((one, other) => grave[one.level] - grave[other.level]);
}

function diskNotes(values: CalculatorValues, { years }: Volume): Note[] {
  const disk = optionalValue(values, 'disk-gigabytes');
  if (disk === null) return [];
  let storedBytes = 0;
  const full = years.findIndex(({ photoBytes, rowBytes }) => (storedBytes += photoBytes + rowBytes) > disk * GIGABYTE);
  const size = formatVolume(disk * GIGABYTE);
  return full === -1
    ? [{ level: 'info', text: `All of it fits a disk of ${size}.` }]
    : [
        {
          level: 'problem',
          text: `A disk of ${size} is full in year ${full + 1}. Put the photos on a larger one, or on a share of another machine, which then has to be tested as well.`,
        },
      ];
}

function calendarNotes(values: CalculatorValues): Note[] {
  const days = requireValue(values, 'campaigns') * requireValue(values, 'days');
  return days > DAYS_PER_YEAR
    ? [
        {
          level: 'warning',
          text: `${formatCount(days)} days of campaigns do not fit one after the other into a year: some run at the same time, and so do their uploads.`,
        },
      ]
    : [];
}

function noteStatedTotals(values: CalculatorValues, { years }: Volume): Note[] {
  const stored = optionalValue(values, 'stored-responses');
  const listYearlyFigures = (pick: (year: VolumeYear) => number): number[] => years.map(pick);
  const binary = { factor: BINARY_PER_DECIMAL, name: 'binary gigabytes (GiB)' };
  const checks: [number | null, ExpectedFigures][] = [
    [
      optionalValue(values, 'stated-teachers'),
      { what: 'teachers', perYear: listYearlyFigures(({ teachers }) => teachers), staying: true, format: formatCount },
    ],
    [
      optionalValue(values, 'stated-students'),
      { what: 'students', perYear: listYearlyFigures(({ students }) => students), staying: false, format: formatCount },
    ],
    [
      optionalValue(values, 'stated-responses'),
      { what: 'responses', perYear: listYearlyFigures(({ responses }) => responses), staying: false, format: formatCount },
    ],
    [
      toGigabytes(optionalValue(values, 'stated-gigabytes')),
      {
        what: 'of photos',
        perYear: listYearlyFigures(({ photoBytes }) => photoBytes),
        staying: false,
        format: formatBytes,
        otherUnit: binary,
        ...(stored === null
          ? {}
          : { also: { value: storedPhotoBytes(values, stored), meaning: 'what the photos of the stored responses take' } }),
      },
    ],
  ];
  return checks.flatMap(([stated, expected]) => (stated === null ? [] : [judgeStated(stated, expected)]));
}

function toGigabytes(value: number | null): number | null {
  return value === null ? null : value * GIGABYTE;
}

function noteStored(values: CalculatorValues, { total }: Volume): Note[] {
  const stored = optionalValue(values, 'stored-responses');
  if (stored === null) return [];
  const sizes = `With what is stored, photos take ${formatVolume(storedPhotoBytes(values, stored))} and rows ${formatVolume(stored * rowBytesPerResponse(values))}.`;
  return [judgeStored(stored, total.possible, requireValue(values, 'answered') / 100), { level: 'info', text: sizes }];
}

function storedPhotoBytes(values: CalculatorValues, stored: number): number {
  return Math.round((stored * requireValue(values, 'photo-share')) / 100) * bytesPerPhoto(values);
}

function rowNotes(values: CalculatorValues): Note[] {
  const rows = optionalValue(values, 'table-rows');
  const size = toGigabytes(optionalValue(values, 'table-gigabytes'));
  if (rows === null || size === null) return [];
  const decimal = formatBytes(size / rows);
  const binary = formatBytes((size * BINARY_PER_DECIMAL) / rows);
  return [
    {
      level: 'info',
      text: `A row of your table takes ${decimal} with its indexes, or ${binary} if the size was counted in GiB. Use that for the rows above.`,
    },
  ];
}

function photoNotes({ total: { photoBytes, rowBytes } }: Volume): Note[] {
  const share = photoBytes / (photoBytes + rowBytes);
  return share >= MIN_DOMINANT_SHARE
    ? [{ level: 'info', text: `${formatPercent(share)} of it is photos: their size and number decide, not the database.` }]
    : [];
}

function teacherNotes({ years, total }: Volume): Note[] {
  const teacherYears = years.reduce((all, { teachers }) => all + teachers, 0);
  return teacherYears > total.teachers
    ? [
        {
          level: 'info',
          text: `Teachers stay from year to year: ${formatCount(total.teachers)} in the end, not the ${formatCount(teacherYears)} that adding the years up would make.`,
        },
      ]
    : [];
}
