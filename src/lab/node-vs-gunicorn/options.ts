import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, numberOption } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';
import { LABELS } from '../labels.ts';

const HOUR_MS = 3_600_000;

/** Times are those of the report; all of them are divided by `scale`. */
export const options = {
  ...commonOptions,
  scale: numberOption({
    label: 'How much faster than in the report',
    help: 'Service time, proxy timeout and keep-alive are divided by this; multiply your rates by it and divide your durations.',
    default: 10,
    min: 1,
    max: 100,
    whole: false,
  }),
  'service-ms': numberOption({
    label: 'Service time of /timeout and /heavy',
    help: 'Before the division by the scale.',
    default: 5_000,
    min: 1,
    max: HOUR_MS,
    unit: 'ms',
  }),
  'proxy-timeout-ms': numberOption({
    label: LABELS.proxyTimeout,
    help: 'Then it answers 504 itself. Before the division by the scale.',
    default: 60_000,
    min: 10,
    max: HOUR_MS,
    unit: 'ms',
  }),
  workers: numberOption({ label: 'Workers of gunicorn', help: 'Each works on one request at a time.', default: 1, min: 1, max: 32 }),
  backlog: numberOption({
    label: 'Length of the accept queue of gunicorn',
    help: 'Requests that nginx has given up wait in it and are served all the same.',
    default: 2_048,
    min: 1,
    max: 4_096,
  }),
  'worker-timeout-s': numberOption({
    label: 'After how long gunicorn kills a worker that answers nothing',
    help: 'gunicorn has 30 s; it looks once a second. Not divided by the scale.',
    default: null,
    min: 1,
    max: 3_600,
    unit: 's',
    unset: 'never one that only works',
  }),
  'waits-in': choiceOption({
    label: 'Where /timeout waits at gunicorn',
    default: 'python',
    choices: {
      python: 'in Python: who waits for a worker that is killed gets 500',
      native: 'in a library that hears of no signal: it is killed a second later, and nginx answers 502',
    },
  }),
  'max-requests': numberOption({
    label: 'After how many requests a worker ends and another one is started',
    default: null,
    min: 1,
    max: 1_000_000,
    unset: 'never',
  }),
  'boot-ms': numberOption({
    label: 'How much longer a worker takes to load the application',
    help: 'At the start, after it was killed and after it ended.',
    default: 0,
    min: 0,
    max: 20_000,
    unit: 'ms',
  }),
  replicas: numberOption({ label: 'Replicas behind /node_replicated/', default: 3, min: 1, max: 8 }),
  heavy: choiceOption({
    label: 'What /heavy does',
    default: 'block',
    choices: { block: 'blocks the thread and leaves the processor alone', burn: 'calculates for that long, as in the report' },
  }),
  'mystery-workers': numberOption({
    label: 'Workers of the synchronous mystery server',
    default: null,
    min: 1,
    max: 200,
    unset: 'random',
  }),
  'mystery-sync-ms': numberOption({ label: 'Its service time', default: null, min: 10, max: 60_000, unit: 'ms', unset: 'random' }),
  'mystery-async-ms': numberOption({
    label: 'Service time of the asynchronous mystery server',
    default: null,
    min: 10,
    max: 60_000,
    unit: 'ms',
    unset: 'random',
  }),
  'mystery-first': choiceOption({
    label: 'Which of the two is the first mystery server',
    default: 'random',
    choices: { random: 'either', sync: 'the synchronous one', async: 'the asynchronous one' },
  }),
  ...faultOptions,
  descriptors: numberOption({
    label: LABELS.descriptors,
    help: 'Connections that wait for their next request use them up, then a trivial page answers 500.',
    default: null,
    min: 32,
    max: 65_536,
    fault: true,
  }),
  'missing-after': numberOption({
    label: 'Pages missing after so many requests',
    help: 'Then the Node servers answer 404, quickly, as a wrong deployment does.',
    default: null,
    min: 1,
    max: 1_000_000,
    fault: true,
  }),
  'slow-clients': slowClientsOption,
  'slow-clients-at': choiceOption({
    label: 'Where the slow clients ask',
    help: 'nginx reads a whole request before it troubles a worker; gunicorn lets the client hold it until it is killed.',
    default: 'nginx',
    fault: true,
    choices: { nginx: 'at nginx', gunicorn: 'at gunicorn, without nginx' },
  }),
} as const;
