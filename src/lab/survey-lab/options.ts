import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, loginSecondsOption, numberOption, switchOption, descriptorsOption, LABELS } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';

const HOUR_MS = 3_600_000;

/** The options of the survey server. Sizes are a tenth of those in the report. */
export const options = {
  ...commonOptions,
  threads: numberOption('Threads', 20, [1, 1_000], { help: 'Each works on one request at a time; 200 in the report.' }),
  queue: numberOption('Requests that wait for a thread', 10, [0, 10_000], { help: '100 in the report.' }),
  'when-full': choiceOption({
    label: 'Requests beyond the queue',
    default: 'refuse',
    choices: {
      refuse: 'their connection closes without a response',
      ignore: 'they are retried after 1, 2, 4 … seconds, as with a full backlog',
    },
  }),
  connections: numberOption('Connections to the database', 10, [1, 90], { help: '100 in the report.' }),
  'database-limit': numberOption(LABELS.databaseLimit, null, [4, 90], {
    help: 'A request without one fails, as with “Too many connections” of MySQL, which allows 151. One more is reserved for inspection.',
    unset: 'unlimited',
  }),
  'pool-wait-ms': numberOption('Longest wait for a database connection', 30_000, [100, HOUR_MS], {
    help: 'In order; then the request fails. 30,000 ms is the default of Tomcat’s JDBC pool, as in ohmage.',
    unit: 'ms',
  }),
  'upload-holds-connection': switchOption('An upload holds a connection to the database', false, {
    help: 'For its whole time, as one transaction; otherwise only for each query.',
  }),
  database: choiceOption({
    label: 'Database',
    default: 'auto',
    choices: { auto: 'PostgreSQL where there is one, else SQLite', postgresql: 'PostgreSQL', sqlite: 'SQLite: one query at a time' },
  }),
  'stream-rows': numberOption('Rows of the stream “frequent”', 20_000, [100, 2_000_000], {
    help: 'A row has 500 bytes. “moderate” has 10 % of the rows with 2,000 bytes, “sparse” 1 % with 100, “bulky” 1 % with 10,000, “chatty” as many with 100.',
  }),
  'page-rows': numberOption('Rows of a stream in one response, at most', 2_000, [10, 100_000], {
    help: '2,000 in ohmage. A response with as many names the address of the next page.',
  }),
  responses: numberOption('Survey responses at the start', 2_000, [0, 500_000]),
  index: switchOption('Index on the streams', true, { help: 'On the four columns of the queries.' }),
  'list-query': choiceOption({
    label: 'Query for participants with responses',
    default: 'at-once',
    choices: { 'at-once': 'one query', portions: 'one query for each 20 participants, each through all responses' },
  }),
  'memory-mb': numberOption('Cache for data blocks', null, [0, 100_000], {
    help: 'The most recently used blocks of 16 kB.',
    unit: 'MB',
    unset: 'unlimited memory',
  }),
  'disk-ms': numberOption('Disk time of a block that is not in memory', 0, [0, 1_000], { whole: false, unit: 'ms' }),
  cores: numberOption('Cores', 4, [1, 128], { help: 'Each calculates for one request at a time.' }),
  'cpu-ms': numberOption('Processor time of every request', 0, [0, 60_000], { whole: false, unit: 'ms' }),
  machines: switchOption('Eight machines', false, {
    help: 'With 4, 8, 16 and 32 GB and 2 and 4 cores, each at its own address. A GB is a MB here.',
  }),
  'service-ms': numberOption('Time of every request', 2, [0, 60_000], { help: 'In addition to the database.', unit: 'ms' }),
  'photo-later-ms': numberOption('Make photos smaller after their upload', null, [1, 60_000], {
    help: 'One after the other, in the given time each. One of less than 4 kB is tried again without end, as a damaged one in ohmage.',
    unit: 'ms',
    unset: 'within the upload',
  }),
  'upload-ms': numberOption('Extra time of an upload', 80, [0, 60_000], { unit: 'ms' }),
  'login-seconds': loginSecondsOption,
  'proxy-timeout-ms': numberOption(LABELS.proxyTimeout, 6_000, [10, HOUR_MS], {
    help: 'Then it sends 504, while the server still stores. 60 s in the report.',
    unit: 'ms',
  }),
  ...faultOptions,
  'cold-cache': switchOption('Cold cache', false, {
    help: 'The first user list of a campaign takes longer. Later ones come from a cache.',
    fault: true,
  }),
  'cold-ms': numberOption('Extra time of the first list', 1_000, [1, 60_000], { unit: 'ms', fault: true }),
  'name-ms': numberOption('Extra time of a query for each name in a list', 0, [0, 1_000], {
    help: 'Like a database that looks up one name after the other.',
    unit: 'ms',
    fault: true,
  }),
  'row-ms': numberOption('Extra time of a response for each row', 0, [0, 1_000], {
    help: 'Like a server that processes each row.',
    whole: false,
    unit: 'ms',
    fault: true,
  }),
  holes: numberOption('Deleted rows in the table of responses', 0, [0, 20], {
    help: 'This many beside each response, with their space still in use.',
    fault: true,
  }),
  'spare-column-bytes': numberOption('Bytes of an unused column of the responses', 0, [0, 4_000], {
    help: '0: no such column.',
    fault: true,
  }),
  descriptors: descriptorsOption(),
  'slow-clients': slowClientsOption,
} as const;
export type Values = ValuesOf<typeof options>;
