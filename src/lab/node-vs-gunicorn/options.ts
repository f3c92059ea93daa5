import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, numberOption } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';
import { LABELS } from '../labels.ts';

const HOUR_MS = 3_600_000;

/** Times from the report, all divided by `scale`. */
export const options = {
  ...commonOptions,
  scale: numberOption({
    label: 'Speed-up against the report',
    help: 'Divides service time, proxy time-out and keep-alive. Multiply your rates by it, and divide your durations.',
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
    help: 'Then it sends 504 itself. Before the division by the scale.',
    default: 60_000,
    min: 10,
    max: HOUR_MS,
    unit: 'ms',
  }),
  workers: numberOption({ label: 'Workers of gunicorn', help: 'Each works on one request at a time.', default: 1, min: 1, max: 32 }),
  backlog: numberOption({
    label: 'Length of the accept queue of gunicorn',
    help: 'Requests that timed out in nginx wait in it, too, and are still served.',
    default: 2_048,
    min: 1,
    max: 4_096,
  }),
  'worker-timeout-s': numberOption({
    label: 'Time-out after which gunicorn kills a silent worker',
    help: 'gunicorn has 30 s and checks once a second. Not divided by the scale.',
    default: null,
    min: 1,
    max: 3_600,
    unit: 's',
    unset: 'never a busy one',
  }),
  'waits-in': choiceOption({
    label: 'Where /timeout waits in gunicorn',
    default: 'python',
    choices: {
      python: 'in Python: requests to a killed worker get 500',
      native: 'in a library that ignores signals: it is killed a second later, and nginx sends 502',
    },
  }),
  'max-requests': numberOption({
    label: 'Requests after which a worker is replaced',
    default: null,
    min: 1,
    max: 1_000_000,
    unset: 'never',
  }),
  'boot-ms': numberOption({
    label: 'Extra time of a worker to load the application',
    help: 'At the start, and after it was killed or replaced.',
    default: 0,
    min: 0,
    max: 20_000,
    unit: 'ms',
  }),
  replicas: numberOption({ label: 'Replicas behind /node_replicated/', default: 3, min: 1, max: 8 }),
  heavy: choiceOption({
    label: 'Work of /heavy',
    default: 'block',
    choices: { block: 'blocks the thread without using the processor', burn: 'uses the processor, as in the report' },
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
    label: 'First mystery server',
    default: 'random',
    choices: { random: 'either', sync: 'the synchronous one', async: 'the asynchronous one' },
  }),
  ...faultOptions,
  descriptors: numberOption({
    label: LABELS.descriptors,
    help: 'Idle connections use them up. Then a trivial page sends 500.',
    default: null,
    min: 32,
    max: 65_536,
    fault: true,
  }),
  'missing-after': numberOption({
    label: 'Requests after which pages are missing',
    help: 'Then the Node servers send 404 quickly, as after a wrong deployment.',
    default: null,
    min: 1,
    max: 1_000_000,
    fault: true,
  }),
  'slow-clients': slowClientsOption,
  'slow-clients-at': choiceOption({
    label: 'Target of the slow clients',
    help: 'nginx reads a whole request before it uses a worker. In gunicorn, the client holds a worker until it is killed.',
    default: 'nginx',
    fault: true,
    choices: { nginx: 'at nginx', gunicorn: 'gunicorn, without nginx' },
  }),
} as const;
