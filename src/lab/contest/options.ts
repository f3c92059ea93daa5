import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, loginSecondsOption, numberOption, switchOption, LABELS } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';
import { PHASES } from './phase.ts';
import { TASK_FILES } from './tasks.ts';
import { pushFaultOptions, pushOptions } from './push/options.ts';

/** Median service time of a page in the report of BOI 2014, which is mostly time waiting for the database. */
const DEFAULT_SERVICE_MS = 50;

export const options = {
  ...commonOptions,
  shards: numberOption('Servers side by side', 2, [1, 64], { help: 'Each has its own port. They share logins.' }),
  'service-ms': numberOption(LABELS.pageTime, DEFAULT_SERVICE_MS, [0, 60_000], {
    help: 'Responses take 0.8 to 1.2 times as long.',
    unit: 'ms',
  }),
  front: choiceOption({
    label: 'In front of the servers',
    help: 'Every response names its server in the header X-Shard.',
    default: 'none',
    choices: {
      none: 'nothing: each server has its own address',
      hash: 'nginx, by the address of the visitor, as in CMS',
      'in-turn': 'nginx, in turn',
    },
  }),
  'shard-header': choiceOption({
    label: 'Value of X-Shard behind nginx',
    help: '$upstream_addr is a list where nginx tried two servers, and “contest” where none was left.',
    default: 'shard',
    choices: { shard: 'the name of the responding server', upstream: '$upstream_addr of nginx' },
  }),
  'proxy-timeout-ms': numberOption(LABELS.proxyTimeout, 60_000, [100, 600_000], {
    help: 'Then it tries the next server, or sends 504 when none is left. A form is not sent twice.',
    unit: 'ms',
  }),
  accounts: numberOption('Contestants', 8, [1, 5_000]),
  'one-password': switchOption('One password for all contestants', false, {
    help: 'The password is “practice”, as in a rehearsal with test accounts.',
  }),
  'submit-seconds': numberOption('Seconds between solutions of a contestant', null, [1, 86_400], {
    help: 'An earlier one is refused: the page returns without a submission, as in CMS.',
    unit: 's',
  }),
  prefix: choiceOption({
    label: 'Path of the contest',
    help: 'With a prefix, its start page has no slash at the end and links are relative, like a CMS with several contests.',
    default: 'none',
    choices: { none: 'at the root of the address', italia: 'below /italia' },
  }),
  statements: choiceOption({ label: 'Language of the statements', default: 'en', choices: { en: 'English', it: 'Italian' } }),
  languages: choiceOption({
    label: 'Languages of solutions',
    help: 'If several accept the same file extension, a solution must name its language.',
    default: 'any',
    choices: { any: 'any: the form has no choice', one: 'C++, C and Python', 'four-cpp': 'four versions of C++' },
  }),
  'task-files': choiceOption({
    label: 'Files of a solution',
    help: 'Several files have to come together. A task of outputs takes no language.',
    default: 'one',
    choices: TASK_FILES,
  }),
  phase: choiceOption({
    label: 'State of the contest',
    help: 'Outside of it, CMS shows no tasks or takes no solutions, and its overview says why.',
    default: 'running',
    choices: PHASES,
  }),
  'starts-seconds': numberOption('Start of the contest', null, [0, 86_400], {
    help: 'So long after the practice server, or at POST /actions/start-contest. Before, there are no tasks.',
    unit: 's',
    unset: 'it has started',
  }),
  'lasts-seconds': numberOption('Duration of the contest', null, [1, 86_400], {
    help: 'Counts from the button where each contestant has one. Afterwards, solutions are refused.',
    unit: 's',
    unset: 'it does not end',
  }),
  registration: switchOption('Self-registration', false, { help: 'At /register, as CMS can allow it.' }),
  evaluators: numberOption('Evaluators of solutions', null, [1, 200], {
    help: 'Each works on one solution at a time.',
    unset: 'one per solution',
  }),
  'evaluation-ms': numberOption('Duration of an evaluation', 2_500, [1, 600_000], { unit: 'ms' }),
  'evaluation-cpu-ms': numberOption('Processor time of an evaluation', null, [1, 60_000], {
    help: 'Each evaluator is then a separate program “cms-evaluator”, at most 32 of them.',
    unit: 'ms',
    unset: 'none: an evaluation only takes time',
  }),
  database: choiceOption({
    label: 'Database',
    default: 'none',
    choices: { none: 'none: submissions stay in memory', postgresql: 'PostgreSQL: each page holds a connection' },
  }),
  pool: numberOption('Database connections of a server', 20, [1, 200], { help: 'They stay open after first use. CMS has 5.' }),
  'pool-overflow': numberOption('Additional connections while all are in use', 0, [0, 200], {
    help: 'Each closes when no page waits for it. CMS has 10.',
  }),
  'pool-wait-ms': numberOption('Longest wait of a page for a connection', 60_000, [100, 600_000], {
    help: 'Then it sends 500.',
    unit: 'ms',
  }),
  'second-connection': switchOption('A second database connection for task pages and solutions', false, {
    help: 'Opened while the first is held, as in CMS. When pages that need a second one hold all, everything stalls until they time out.',
  }),
  'database-limit': numberOption(LABELS.databaseLimit, 100, [10, 5_000], {
    help: 'Three of them are reserved for its administrator. A page without one sends 500.',
  }),
  'login-seconds': loginSecondsOption,
  ...pushOptions,
  ...faultOptions,
  'shard-falls': choiceOption({
    label: 'A server that stops responding',
    help: 'One server only; the others continue.',
    default: 'no',
    fault: true,
    choices: {
      no: 'none does',
      dies: 'it crashes: open connections close, new ones are refused',
      hangs: 'it freezes: it accepts connections but sends nothing until it continues',
    },
  }),
  'falling-shard': numberOption('Which one', 1, [1, 64], { help: 'By its number.', fault: true }),
  'falls-after': numberOption('At which of its requests', 100, [1, 1_000_000], {
    help: 'The requests of a check or a rehearsal count, too.',
    fault: true,
  }),
  'falls-for-ms': numberOption('When it comes back', null, [1, 3_600_000], { unit: 'ms', unset: 'never', fault: true }),
  'cold-cache': switchOption('Cold evaluators', false, { help: 'The first solution of each evaluator takes longer.', fault: true }),
  'cold-ms': numberOption('Extra time for the first solution', 5_000, [1, 600_000], { unit: 'ms', fault: true }),
  'slow-clients': slowClientsOption,
  ...pushFaultOptions,
} as const;
export type Values = ValuesOf<typeof options>;
