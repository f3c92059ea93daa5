import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, loginSecondsOption, numberOption, switchOption } from '../optionKinds.ts';
import { slowClientsOption } from '../slowClients.ts';

const HOUR_MS = 3_600_000;

/** Sizes are a tenth of the report's. */
export const options = {
  ...commonOptions,
  threads: numberOption({
    label: 'Threads',
    help: 'Each works on one request at a time; 200 in the report.',
    default: 20,
    min: 1,
    max: 1_000,
  }),
  queue: numberOption({
    label: 'Requests that wait for a thread',
    help: '100 in the report.',
    default: 10,
    min: 0,
    max: 10_000,
  }),
  'when-full': choiceOption({
    label: 'What becomes of those beyond',
    default: 'refuse',
    choices: {
      refuse: 'their connection is closed without an answer',
      ignore: 'they are tried again after 1, 2, 4 … seconds, as a system does whose queue of connections is full',
    },
  }),
  connections: numberOption({ label: 'Connections to the database', help: '100 in the report.', default: 10, min: 1, max: 90 }),
  database: choiceOption({
    label: 'Database',
    default: 'auto',
    choices: { auto: 'PostgreSQL where there is one, else SQLite', postgresql: 'PostgreSQL', sqlite: 'SQLite: one query at a time' },
  }),
  'stream-rows': numberOption({
    label: 'Rows of the stream “frequent”',
    help: 'It has 500 bytes a row; “moderate” has a tenth of the rows with 2,000 bytes, “sparse” a hundredth with 100.',
    default: 20_000,
    min: 100,
    max: 2_000_000,
  }),
  responses: numberOption({ label: 'Survey responses at the start', default: 2_000, min: 0, max: 500_000 }),
  index: switchOption({ label: 'Index on the streams', help: 'Over the four columns by which they are read.', default: true }),
  'service-ms': numberOption({
    label: 'Time that every request takes',
    help: 'Beside what the database takes.',
    default: 2,
    min: 0,
    max: 60_000,
    unit: 'ms',
  }),
  'upload-ms': numberOption({ label: 'Time that an upload takes more', default: 80, min: 0, max: 60_000, unit: 'ms' }),
  'login-seconds': loginSecondsOption,
  'proxy-timeout-ms': numberOption({
    label: 'How long nginx waits for an answer',
    help: 'Then it answers 504, while the server still stores; 60 s in the report.',
    default: 6_000,
    min: 10,
    max: HOUR_MS,
    unit: 'ms',
  }),
  ...faultOptions,
  'cold-cache': switchOption({
    label: 'Cold cache',
    help: 'The first list of users of a campaign takes longer, by the time below; later ones are kept.',
    default: false,
    fault: true,
  }),
  'cold-ms': numberOption({ label: 'How much longer the first list takes', default: 1_000, min: 1, max: 60_000, unit: 'ms', fault: true }),
  'name-ms': numberOption({
    label: 'How much longer each name in a list makes a query',
    help: 'As a database does that looks for one after the other.',
    default: 0,
    min: 0,
    max: 1_000,
    unit: 'ms',
    fault: true,
  }),
  descriptors: numberOption({ label: 'Open files that nginx may have', default: null, min: 32, max: 65_536, fault: true }),
  'slow-clients': slowClientsOption,
} as const;
