import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, numberOption, switchOption, LABELS } from '../lab.ts';

const MINUTE_MS = 60_000;

export const options = {
  ...commonOptions,
  places: numberOption('Places', 80, [1, 100_000]),
  race: switchOption('Race between two people for the last place', false, {
    help: 'The server counts the places that are taken, and stores the person in a second step. Two people at the same time both find the last place free.',
    fault: true,
  }),
  'race-ms': numberOption('Time between the two steps', 5, [0, MINUTE_MS], { unit: 'ms', fault: true }),
  'second-form': choiceOption({
    label: 'A second form of the same person',
    help: 'People press the button twice, or send the form again after an error.',
    default: 'known',
    fault: true,
    choices: { known: 'shows the place that the person has', stored: 'is stored again and takes another place' },
  }),
  'shuffle-ms': numberOption('Longest random delay before a form is processed', 0, [0, MINUTE_MS], {
    help: 'Places are then not given in the order of arrival.',
    unit: 'ms',
    fault: true,
  }),
  'service-ms': numberOption(LABELS.pageTime, 20, [0, MINUTE_MS], { unit: 'ms' }),
  workers: numberOption('Workers', 16, [1, 500], { help: 'Each creates one page at a time.' }),
  backlog: numberOption(LABELS.backlog, null, [0, 100_000], { help: 'A further request gets 502 at once.', unset: 'any number' }),
  'admits-per-second': numberOption('People whom the waiting room admits a second', null, [0.1, 100_000], {
    help: 'The others get a page with their position in the queue, which they reload.',
    whole: false,
    unset: 'no waiting room',
  }),
  'address-limit': numberOption(LABELS.addressLimit, null, [1, 1_000_000], {
    help: 'A further request gets 429. All people of a test have the address of the load generator.',
    unset: 'any number',
  }),
  'lose-response-one-in': numberOption('Stored, but without a response: one form in', null, [1, 1_000_000], {
    help: 'The connection is closed instead.',
    fault: true,
  }),
  database: choiceOption({
    label: 'Database',
    default: 'none',
    choices: { none: 'none: rows stay in memory', postgresql: 'PostgreSQL: a table “registrations”' },
  }),
  ...faultOptions,
} as const;
export type Values = ValuesOf<typeof options>;
