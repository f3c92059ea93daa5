import { formatBytes, formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import { type CalculatorValues, formatVolume, type Note } from '../calculator.ts';
import { given, optional } from './inputs.ts';
import { bytesPerPhoto, rowBytesPerResponse, type Volume, type VolumeYear } from './volume.ts';

/** Expected figures of one kind, for comparison with a stated one. */
interface Expected {
  /** Noun in a sentence: "students". */
  readonly what: string;
  readonly perYear: readonly number[];
  /** True if the same ones return the next year, so that a sum over years counts them twice. */
  readonly staying: boolean;
  readonly format: (value: number) => string;
  /** Other unit of the figure, such as binary gigabytes: its factor and name. */
  readonly otherUnit?: { readonly factor: number; readonly name: string };
  /** Another possible figure, and its meaning. */
  readonly also?: { readonly value: number; readonly meaning: string };
}

/** Explains a stated figure: of a year, a total, a total taken for a year, people counted again each year, or another unit. */
function judgeStated(stated: number, expected: Expected): Note {
  const { what, format, otherUnit } = expected;
  const plain = meaningOf(stated, expected);
  if (plain) return plain;
  if (otherUnit) {
    const found = meaningOf(stated * otherUnit.factor, expected, significantDigits(stated));
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

function meaningOf(value: number, { what, perYear, staying, format, also }: Expected, digits = significantDigits(value)): Note | null {
  const agrees = (exact: number): boolean => Number(exact.toPrecision(digits)) === Number(value.toPrecision(digits));
  const shown = `“${format(value)} ${what}”`;
  if (also && agrees(also.value)) return { level: 'info', text: `${shown} is ${also.meaning}.` };
  const year = perYear.findIndex(agrees);
  if (year !== -1) return { level: 'info', text: `${shown} is the figure of year ${year + 1}.` };
  const after = runningTotals(perYear).findIndex(agrees);
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

/** Precision of a stated figure: 9,600 has 2 digits, 378.89 has 5. At least 2, because 400 does not mean any number from 350 on. */
function significantDigits(value: number): number {
  const digits = value.toExponential().split('e')[0]?.replaceAll(/\D/g, '').length ?? 2;
  return Math.max(2, Math.min(digits, 15));
}

/** Deviations from which chance is excluded: 1 in 15,000. */
const MIN_SIGNIFICANT_DEVIATIONS = 4;

interface StoredGap {
  /** Stored share of all possible responses. */
  readonly share: number;
  /** Fewer than expected; negative: more. */
  readonly missing: number;
  /** Difference in standard deviations of a binomial count; infinite without variance. */
  readonly deviations: number;
}

/** Compares the stored number with a binomial count: `possible` occasions, each with the probability `answered` (0 to 1). */
export function storedGap(stored: number, possible: number, answered: number): StoredGap {
  const missing = Math.round(possible * answered) - stored;
  const deviation = Math.sqrt(possible * answered * (1 - answered));
  return { share: possible === 0 ? 0 : stored / possible, missing, deviations: missing === 0 ? 0 : missing / deviation };
}

function judgeStored(stored: number, possible: number, answered: number): Note {
  const { share, missing, deviations } = storedGap(stored, possible, answered);
  if (stored > possible)
    return {
      level: 'problem',
      text: `${formatCount(stored)} responses are stored, more than the ${formatCount(possible)} that were asked for.`,
    };
  const size = Math.abs(deviations);
  const gap = `${formatCount(stored)} responses are stored, ${formatCount(Math.abs(missing))} ${missing < 0 ? 'more' : 'fewer'} than expected: ${formatPercent(share, 4)} were completed`;
  if (size <= MIN_SIGNIFICANT_DEVIATIONS) return { level: 'info', text: `${gap}. Chance alone may do that.` };
  const apart = Number.isFinite(size) ? `${formatNumber(size)} standard deviations away: ` : '';
  const cause = missing > 0 ? 'uploads that failed, or fewer people than planned' : 'more people than planned';
  return { level: 'warning', text: `${gap}. That is ${apart}not chance but ${cause}.` };
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
    ...statedNotes(values, volume),
    ...storedNotes(values, volume),
    ...rowNotes(values),
    ...photoNotes(volume),
    ...teacherNotes(volume),
  ].toSorted((one, other) => grave[one.level] - grave[other.level]);
}

function diskNotes(values: CalculatorValues, { years }: Volume): Note[] {
  const disk = optional(values, 'disk-gigabytes');
  if (disk === null) return [];
  let held = 0;
  const full = years.findIndex(({ photoBytes, rowBytes }) => (held += photoBytes + rowBytes) > disk * GIGABYTE);
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
  const days = given(values, 'campaigns') * given(values, 'days');
  return days > DAYS_PER_YEAR
    ? [
        {
          level: 'warning',
          text: `${formatCount(days)} days of campaigns do not fit one after the other into a year: some run at the same time, and so do their uploads.`,
        },
      ]
    : [];
}

function statedNotes(values: CalculatorValues, { years }: Volume): Note[] {
  const stored = optional(values, 'stored-responses');
  const of = (pick: (year: VolumeYear) => number): number[] => years.map(pick);
  const binary = { factor: BINARY_PER_DECIMAL, name: 'binary gigabytes (GiB)' };
  const checks: [number | null, Expected][] = [
    [
      optional(values, 'stated-teachers'),
      { what: 'teachers', perYear: of(({ teachers }) => teachers), staying: true, format: formatCount },
    ],
    [
      optional(values, 'stated-students'),
      { what: 'students', perYear: of(({ students }) => students), staying: false, format: formatCount },
    ],
    [
      optional(values, 'stated-responses'),
      { what: 'responses', perYear: of(({ responses }) => responses), staying: false, format: formatCount },
    ],
    [
      gigabytes(optional(values, 'stated-gigabytes')),
      {
        what: 'of photos',
        perYear: of(({ photoBytes }) => photoBytes),
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

function gigabytes(value: number | null): number | null {
  return value === null ? null : value * GIGABYTE;
}

function storedNotes(values: CalculatorValues, { total }: Volume): Note[] {
  const stored = optional(values, 'stored-responses');
  if (stored === null) return [];
  const sizes = `With what is stored, photos take ${formatVolume(storedPhotoBytes(values, stored))} and rows ${formatVolume(stored * rowBytesPerResponse(values))}.`;
  return [judgeStored(stored, total.possible, given(values, 'answered') / 100), { level: 'info', text: sizes }];
}

function storedPhotoBytes(values: CalculatorValues, stored: number): number {
  return Math.round((stored * given(values, 'photo-share')) / 100) * bytesPerPhoto(values);
}

function rowNotes(values: CalculatorValues): Note[] {
  const rows = optional(values, 'table-rows');
  const size = gigabytes(optional(values, 'table-gigabytes'));
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
