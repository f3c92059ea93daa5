import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, loginSecondsOption, numberOption, switchOption } from '../lab.ts';
import { slowClientsOption } from '../slowClients.ts';
import { LABELS } from '../labels.ts';

const MINUTE_MS = 60_000;

export const options = {
  ...commonOptions,
  workers: numberOption({
    label: 'Workers of the site',
    help: 'Each makes one page at a time: at most workers / service time pages a second. Zope has 4 threads.',
    default: 4,
    min: 1,
    max: 200,
  }),
  'service-ms': numberOption({
    label: LABELS.pageTime,
    help: 'Content pages take from half to one and a half times that, always in the same order.',
    default: 50,
    min: 0,
    max: MINUTE_MS,
    unit: 'ms',
  }),
  'practice-workers': numberOption({ label: 'Workers of the practice service', default: 4, min: 1, max: 200 }),
  'practice-ms': numberOption({ label: 'Time that a page of the practice service takes', default: 30, min: 0, max: MINUTE_MS, unit: 'ms' }),
  cache: choiceOption({
    label: 'What nginx keeps of the pages',
    help: 'Style sheets, scripts and images are kept in any case but the first.',
    default: 'shared',
    choices: {
      off: 'nothing',
      'per-user': 'a copy for each user, since each page shows who is logged in',
      shared: 'one copy for all, into which nginx puts who is logged in',
    },
  }),
  'login-seconds': loginSecondsOption,
  'login-write-ms': numberOption({
    label: 'Writing at a login',
    help: 'Each login writes the user into the database and keeps it locked for so long, one after the other.',
    default: 0,
    min: 0,
    max: MINUTE_MS,
    unit: 'ms',
  }),
  'conflict-retries': numberOption({
    label: 'How often a login is made again that conflicts with another one',
    help: 'Logins then write the same object, as of a ZODB behind a ZEO: of those made at once one is written, the others do all their work again, and answer 500 in the end. Zope tries 3 times more.',
    default: null,
    min: 0,
    max: 10,
    unset: 'logins write one after the other',
  }),
  'hop-ms': numberOption({
    label: 'Way between nginx and the servers behind it',
    help: 'So long for what is asked and as long for what is answered.',
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
    help: 'nginx keeps nothing and finds nothing, whatever it should keep.',
    default: false,
    fault: true,
  }),
  descriptors: numberOption({
    label: LABELS.descriptors,
    help: 'Connections use them up, then nothing more is answered well.',
    default: null,
    min: 32,
    max: 65_536,
    fault: true,
  }),
  'slow-clients': slowClientsOption,
} as const;
