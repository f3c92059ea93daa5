import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, LABELS, loginSecondsOption, numberOption, switchOption } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';

const MINUTE_MS = 60_000;
const everyNth = (label: string, help: string) => numberOption(label, null, [1, 1_000_000], { help, fault: true });

export const options = {
  ...commonOptions,
  accounts: numberOption('Pupils', 200, [1, 20_000], { help: 'pupil1, pupil2 … Each has one attempt.' }),
  questions: numberOption('Questions of an attempt', 5, [1, 40], {
    help: 'Drawn from a pool of 40 and shuffled for each pupil; every third takes a text.',
  }),
  preflight: switchOption('The start asks for a confirmation', true, { help: 'Like Moodle for a quiz with a time limit.' }),
  'exam-seconds': numberOption('Time limit of an attempt', 7_200, [1, 1_000_000], { help: 'After that, the pupil is refused.', unit: 's' }),
  workers: numberOption('Workers', 10, [1, 1_000], { help: 'PHP-FPM: pm.max_children. Each works on one request at a time.' }),
  backlog: numberOption(LABELS.backlog, 511, [0, 100_000], { help: 'PHP-FPM: listen.backlog. Further requests get 502 at once.' }),
  lock: choiceOption({
    label: 'Which requests wait for each other?',
    help: 'A waiting request holds its worker, as in PHP.',
    default: 'session',
    choices: { session: 'those of one login', none: 'none', everybody: 'all that start or save' },
  }),
  pool: numberOption('Database connections', null, [1, 1_000], {
    help: 'A start or save holds one all the time, and waits until one is free.',
    unset: 'one for each worker',
  }),
  'pool-refuses': switchOption('Database refuses more connections', false, {
    help: 'Like max_connections: a start or save without a free one gets an error page with status 200, as in TCExam.',
    fault: true,
  }),
  'service-ms': numberOption('Time of a page', 20, [0, MINUTE_MS], { unit: 'ms' }),
  'start-ms': numberOption('Extra time of a start', 40, [0, MINUTE_MS], { help: 'The questions are drawn and written.', unit: 'ms' }),
  'login-seconds': loginSecondsOption,
  ...faultOptions,
  'swallow-one-in': everyNth('Lost answers of pupils: one in', 'Every Nth answer of a pupil is acknowledged as always and not stored.'),
  'end-login-one-in': everyNth('Ended logins: one in', 'Every Nth request of somebody logged in finds that login ended.'),
  'address-limit': numberOption(LABELS.addressLimit, null, [1, 100_000], {
    help: 'Further ones get 503 at once, like limit_req of nginx.',
    fault: true,
  }),
  'cold-cache': switchOption('Cold cache', false, { help: 'The first start reads the questions; those beside it do, too.', fault: true }),
  'cold-ms': numberOption('Time to read the questions', 3_000, [1, MINUTE_MS], { unit: 'ms', fault: true }),
  'slow-clients': slowClientsOption,
} as const;
export type Values = ValuesOf<typeof options>;
