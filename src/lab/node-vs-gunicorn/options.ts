import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, numberOption, descriptorsOption, LABELS } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';

const HOUR_MS = 3_600_000;

/** The options of the comparison. `scale` divides the service time, the proxy time-out and the keep-alive time of the report. */
export const options = {
  ...commonOptions,
  scale: numberOption('Speed-up against the report', 10, [1, 100], {
    help: 'Divides service time, proxy time-out and keep-alive. Multiply your rates by it, and divide your durations.',
    whole: false,
  }),
  'service-ms': numberOption('Service time of /timeout and /heavy', 5_000, [1, HOUR_MS], {
    help: 'Before the division by the scale.',
    unit: 'ms',
  }),
  'proxy-timeout-ms': numberOption(LABELS.proxyTimeout, 60_000, [10, HOUR_MS], {
    help: 'Then it sends 504 itself. Before the division by the scale.',
    unit: 'ms',
  }),
  workers: numberOption('Workers of gunicorn', 1, [1, 32], { help: 'Each works on one request at a time.' }),
  backlog: numberOption('Length of the accept queue of gunicorn', 2_048, [1, 4_096], {
    help: 'Requests that timed out in nginx wait in it, too, and are still served.',
  }),
  'worker-timeout-s': numberOption('Time-out after which gunicorn kills a silent worker', null, [1, 3_600], {
    help: 'gunicorn has 30 s and checks once a second. Not divided by the scale.',
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
  'max-requests': numberOption('Requests after which a worker is replaced', null, [1, 1_000_000], { unset: 'never' }),
  'boot-ms': numberOption('Extra time of a worker to load the application', 0, [0, 20_000], {
    help: 'At the start, and after it was killed or replaced.',
    unit: 'ms',
  }),
  replicas: numberOption('Replicas behind /node_replicated/', 3, [1, 8]),
  heavy: choiceOption({
    label: 'Work of /heavy',
    default: 'block',
    choices: { block: 'blocks the thread without using the processor', burn: 'uses the processor, as in the report' },
  }),
  'mystery-workers': numberOption('Workers of the synchronous mystery server', null, [1, 200], { unset: 'random' }),
  'mystery-sync-ms': numberOption('Its service time', null, [10, 60_000], { unit: 'ms', unset: 'random' }),
  'mystery-async-ms': numberOption('Service time of the asynchronous mystery server', null, [10, 60_000], { unit: 'ms', unset: 'random' }),
  'mystery-first': choiceOption({
    label: 'First mystery server',
    default: 'random',
    choices: { random: 'either', sync: 'the synchronous one', async: 'the asynchronous one' },
  }),
  ...faultOptions,
  descriptors: descriptorsOption('Idle connections use them up. Then a trivial page sends 500.'),
  'missing-after': numberOption('Requests after which pages are missing', null, [1, 1_000_000], {
    help: 'Then the Node servers send 404 quickly, as after a wrong deployment.',
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
export type Values = ValuesOf<typeof options>;
