import { faultOptions } from '../faults.ts';
import { choiceOption, commonOptions, loginSecondsOption, numberOption, switchOption } from '../optionKinds.ts';
import { slowClientsOption } from '../slowClients.ts';
import { DEFAULT_SERVICE_MS } from './pace.ts';

export const options = {
  ...commonOptions,
  shards: numberOption({
    label: 'Servers side by side',
    help: 'Each on a port of its own; they share logins.',
    default: 2,
    min: 1,
    max: 64,
  }),
  'service-ms': numberOption({
    label: 'Mean time that a page takes',
    help: 'Answers take from 0.8 to 1.2 times that.',
    default: DEFAULT_SERVICE_MS,
    min: 0,
    max: 60_000,
    unit: 'ms',
  }),
  front: choiceOption({
    label: 'In front of the servers',
    help: 'Every answer says which server gave it, in its header X-Shard.',
    default: 'none',
    choices: {
      none: 'nothing: each server has its own address',
      hash: 'nginx that chooses by the address of the visitor, as CMS ships it',
      'in-turn': 'nginx that takes them in turn',
    },
  }),
  accounts: numberOption({ label: 'Contestants', default: 8, min: 1, max: 5_000 }),
  'one-password': switchOption({
    label: 'One password for all contestants',
    help: 'It is “practice”, as in a rehearsal with made-up accounts.',
    default: false,
  }),
  'submit-seconds': numberOption({
    label: 'Seconds between two solutions of a contestant',
    help: 'One that comes earlier is refused: the page leads back without a submission, as in CMS.',
    default: null,
    min: 1,
    max: 86_400,
    unit: 's',
  }),
  registration: switchOption({
    label: 'People may register themselves',
    help: 'At /register, as a contest of CMS may allow it.',
    default: false,
  }),
  evaluators: numberOption({
    label: 'Evaluators of solutions',
    help: 'Each works on one solution at a time.',
    default: null,
    min: 1,
    max: 200,
    unset: 'as many as there are solutions',
  }),
  'evaluation-ms': numberOption({ label: 'Time that an evaluation takes', default: 2_500, min: 1, max: 600_000, unit: 'ms' }),
  'evaluation-cpu-ms': numberOption({
    label: 'Processor time of an evaluation',
    help: 'Each evaluator is then a program “cms-evaluator” of its own, at most 32 of them.',
    default: null,
    min: 1,
    max: 60_000,
    unit: 'ms',
    unset: 'none: an evaluation only takes time',
  }),
  database: choiceOption({
    label: 'Database',
    default: 'none',
    choices: { none: 'none: what is handed in lies in memory', postgresql: 'each page holds a connection to a PostgreSQL' },
  }),
  pool: numberOption({
    label: 'Database connections of a server',
    help: 'They stay open once they were needed.',
    default: 20,
    min: 1,
    max: 200,
  }),
  'database-limit': numberOption({
    label: 'Connections that the database allows',
    help: 'Three of them are for its administrator. A page that gets none answers 500.',
    default: 100,
    min: 10,
    max: 5_000,
  }),
  'login-seconds': loginSecondsOption,
  ...faultOptions,
  'cold-cache': switchOption({
    label: 'Cold evaluators',
    help: 'The first solution of each evaluator takes longer, by the time below.',
    default: false,
    fault: true,
  }),
  'cold-ms': numberOption({ label: 'How much longer the first one takes', default: 5_000, min: 1, max: 600_000, unit: 'ms', fault: true }),
  'slow-clients': slowClientsOption,
} as const;
