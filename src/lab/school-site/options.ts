import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, loginSecondsOption, numberOption, switchOption } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';
import { LABELS } from '../labels.ts';

const MINUTE_MS = 60_000;

export const options = {
  ...commonOptions,
  workers: numberOption({
    label: 'Workers of the site',
    help: 'Each creates one page at a time: at most workers / service time pages a second. Zope has 4 threads.',
    default: 4,
    min: 1,
    max: 200,
  }),
  'service-ms': numberOption({
    label: LABELS.pageTime,
    help: 'Content pages take 0.5 to 1.5 times as long, always in the same order.',
    default: 50,
    min: 0,
    max: MINUTE_MS,
    unit: 'ms',
  }),
  'practice-workers': numberOption({ label: 'Workers of the practice service', default: 4, min: 1, max: 200 }),
  'practice-ms': numberOption({ label: 'Time of a page of the practice service', default: 30, min: 0, max: MINUTE_MS, unit: 'ms' }),
  cache: choiceOption({
    label: 'Pages in nginx’s cache',
    help: 'Style sheets, scripts and images are cached in every case but the first.',
    default: 'shared',
    choices: {
      off: 'nothing',
      'per-user': 'one copy for each user: each page shows who is logged in',
      shared: 'one copy for all: nginx inserts who is logged in',
    },
  }),
  'login-seconds': loginSecondsOption,
  'login-write-ms': numberOption({
    label: 'Database writes of a login',
    help: 'Each login writes the user into the database and locks it for this long, one after the other.',
    default: 0,
    min: 0,
    max: MINUTE_MS,
    unit: 'ms',
  }),
  'conflict-retries': numberOption({
    label: 'Retries of a login after a conflict',
    help: 'Logins then write the same object, as in a ZODB behind a ZEO. Of simultaneous logins, one is written; the others repeat all their work, and finally send 500. Zope retries 3 times.',
    default: null,
    min: 0,
    max: 10,
    unset: 'logins write one after the other',
  }),
  'hop-ms': numberOption({
    label: 'Latency between nginx and the servers behind it',
    help: 'This long for the request, and as long for the response.',
    default: 0,
    min: 0,
    max: MINUTE_MS,
    unit: 'ms',
  }),
  'proxy-timeout-ms': numberOption({
    label: LABELS.proxyTimeout,
    default: MINUTE_MS,
    min: 10,
    max: 3_600_000,
    unit: 'ms',
  }),
  ...faultOptions,
  'cold-cache': switchOption({
    label: 'Cold cache',
    help: 'nginx caches nothing, whatever is set above.',
    default: false,
    fault: true,
  }),
  descriptors: numberOption({
    label: LABELS.descriptors,
    help: 'Connections use them up. Then every response is an error.',
    default: null,
    min: 32,
    max: 65_536,
    fault: true,
  }),
  'slow-clients': slowClientsOption,
} as const;
