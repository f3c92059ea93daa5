import type { CalculatorValues, InputGroup } from '../calculator.ts';

const stated = (label: string, help = ''): InputGroup['inputs'][string] => ({
  label,
  help,
  default: null,
  min: 1,
  max: 1e15,
  whole: false,
});
const bytes = (label: string, usual: number): InputGroup['inputs'][string] => ({ label, unit: 'B', default: usual, min: 0, max: 1e12 });

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
      'photo-bytes': bytes('A photo', 98_831),
      'small-photo-bytes': bytes('Its smaller copy', 3_175),
      'icon-bytes': bytes('Its icon', 2_632),
      'response-row-bytes': bytes('A row for a response, with its indexes', 452),
      'prompt-row-bytes': bytes('A row for a prompt, with its indexes', 337),
      'disk-gigabytes': { ...stated('Size of the disk for it'), unit: 'GB' },
    },
  },
  {
    title: 'Figures to check',
    folded: true,
    inputs: {
      'stated-teachers': stated('Teachers, as somebody stated them', 'Stated figures are compared with each year and with the totals.'),
      'stated-students': stated('Students, as stated'),
      'stated-responses': stated('Responses, as stated'),
      'stated-gigabytes': { ...stated('Photos, as stated'), unit: 'GB' },
      'stored-responses': stated('Responses that are really stored', 'Compared with the expected share, within chance.'),
      'table-rows': stated('Rows of a table that you have'),
      'table-gigabytes': { ...stated('Size of that table'), unit: 'GB' },
    },
  },
] as const satisfies readonly InputGroup[];

type NamesOf<Groups extends readonly InputGroup[]> = { [Index in keyof Groups]: keyof Groups[Index]['inputs'] }[number];
type InputName = NamesOf<typeof dataVolumeGroups>;

/** Returns a value with a default. */
export function given(values: CalculatorValues, name: InputName): number {
  return values[name] ?? 0;
}

/** Returns an optional value. */
export function optional(values: CalculatorValues, name: InputName): number | null {
  return values[name] ?? null;
}
