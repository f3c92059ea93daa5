import type { CalculatorValues } from '../calculator.ts';
import { given } from './inputs.ts';

/** Figures of one year. */
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

export const SUMMED = ['classes', 'students', 'possible', 'responses', 'prompts', 'photos', 'photoBytes', 'rowBytes'] as const;
type Summed = (typeof SUMMED)[number];

export interface Volume {
  readonly years: readonly VolumeYear[];
  /** Sum of all years. Schools and teachers remain, so their last year counts. */
  readonly total: Pick<VolumeYear, Summed | 'schools' | 'teachers'>;
}

/** Returns the bytes of a photo on disk, including the server's copies. */
export function bytesPerPhoto(values: CalculatorValues): number {
  return given(values, 'photo-bytes') + given(values, 'small-photo-bytes') + given(values, 'icon-bytes');
}

/** Returns the row bytes of a response, including its prompts. */
export function rowBytesPerResponse(values: CalculatorValues): number {
  return given(values, 'response-row-bytes') + given(values, 'prompts') * given(values, 'prompt-row-bytes');
}

/**
 * Computes the data accumulated over the years: students × campaigns × days × responses per day × response rate, times their bytes. Fractional counts are
 * rounded per year.
 */
export function volumeOf(values: CalculatorValues): Volume {
  const years = Array.from({ length: given(values, 'years') }, (_, year) => yearOf(values, year));
  const last = years.at(-1);
  const sum = (what: Summed): number => years.reduce((all, year) => all + year[what], 0);
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

function yearOf(values: CalculatorValues, year: number): VolumeYear {
  const schools = given(values, 'schools') + year * given(values, 'schools-added');
  const teachers = schools * given(values, 'teachers');
  const classes = teachers * given(values, 'classes');
  const students = classes * given(values, 'students');
  const aDay = given(values, 'responses-a-day');
  const answered = given(values, 'answered') / 100;
  const possible = Math.round(students * given(values, 'campaigns') * given(values, 'days') * aDay);
  const responses = Math.round(possible * answered);
  const photos = Math.round((responses * given(values, 'photo-share')) / 100);
  return {
    schools,
    teachers,
    classes,
    students,
    possible,
    responses,
    prompts: responses * given(values, 'prompts'),
    photos,
    photoBytes: photos * bytesPerPhoto(values),
    rowBytes: responses * rowBytesPerResponse(values),
    uploadsPerSecond: (students * aDay * answered) / (given(values, 'active-hours') * 3_600),
  };
}
