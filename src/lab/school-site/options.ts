import type { ValuesOf } from '#core/base/lab/readOptions.ts';
import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, loginSecondsOption, numberOption, switchOption, descriptorsOption, LABELS } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';

const MINUTE_MS = 60_000;

export const options = {
  ...commonOptions,
  workers: numberOption('Workers of the site', 4, [1, 200], {
    help: 'Each creates one page at a time: at most workers / service time pages a second. Zope has 4 threads.',
  }),
  'service-ms': numberOption(LABELS.pageTime, 50, [0, MINUTE_MS], {
    help: 'Content pages take 0.5 to 1.5 times as long, always in the same order.',
    unit: 'ms',
  }),
  'practice-workers': numberOption('Workers of the practice service', 4, [1, 200]),
  'practice-ms': numberOption('Time of a page of the practice service', 30, [0, MINUTE_MS], { unit: 'ms' }),
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
  'login-write-ms': numberOption('Database writes of a login', 0, [0, MINUTE_MS], {
    help: 'Each login writes the user into the database and locks it for this long, one after the other.',
    unit: 'ms',
  }),
  'conflict-retries': numberOption('Retries of a login after a conflict', null, [0, 10], {
    help: 'Logins then write the same object, as in a ZODB behind a ZEO. Of simultaneous logins, one is written; the others repeat all their work, and finally send 500. Zope retries 3 times.',
    unset: 'logins write one after the other',
  }),
  'hop-ms': numberOption('Latency between nginx and the servers behind it', 0, [0, MINUTE_MS], {
    help: 'This long for the request, and as long for the response.',
    unit: 'ms',
  }),
  'proxy-timeout-ms': numberOption(LABELS.proxyTimeout, MINUTE_MS, [10, 3_600_000], { unit: 'ms' }),
  ...faultOptions,
  'cold-cache': switchOption('Cold cache', false, { help: 'nginx caches nothing, whatever is set above.', fault: true }),
  descriptors: descriptorsOption('Connections use them up. Then every response is an error.'),
  'slow-clients': slowClientsOption,
} as const;
export type Values = ValuesOf<typeof options>;
