import { formatBytes, formatCount, formatPercent } from '#core/base/units.ts';
import type { CalculatorValues, Note } from '../calculator.ts';
import { formatVolume } from '../format.ts';
import { given, optional } from './inputs.ts';
import { judgeStated, type Expected } from './stated.ts';
import { judgeStored } from './stored.ts';
import { bytesPerPhoto, rowBytesPerResponse, type Volume, type VolumeYear } from './volume.ts';

const GIGABYTE = 1e9;
const BINARY_PER_DECIMAL = 2 ** 30 / GIGABYTE;
const DAYS_OF_A_YEAR = 365;
/** From this share on, photos are what the disk is for. */
const MOSTLY = 0.8;

/** What somebody should know before believing the table, the gravest first. */
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
  return days > DAYS_OF_A_YEAR
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
  return share >= MOSTLY
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
