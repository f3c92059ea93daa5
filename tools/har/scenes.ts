import { recordByDevTools, recordByPlaywright, type Recorder } from './browsers.ts';
import { askQuestion, pollNotifications, refusedRequests, submitAndPoll, twoShards, logInAtContest } from './walks/contest.ts';
import { nodeErrors } from './walks/nodeVsGunicorn.ts';
import { cachedPages, practise } from './walks/school.ts';
import { account, behindWorker, revisitShop, streamsAndFailures, visitShop } from './walks/shop.ts';
import { phone, whoAmI } from './walks/survey.ts';
import type { Walk } from './walks/walk.ts';

export interface Scene {
  /** Of the recording. */
  readonly name: string;
  /** As on the command line; left out where the shop alone is visited. */
  readonly lab?: readonly string[];
  readonly recorder: Recorder;
  readonly walk: Walk;
}

const contest = ['contest', '--port', '19710', '--service-ms', '5', '--evaluation-ms', '1500'];
const school = ['school-site', '--port', '19750', '--service-ms', '20'];
const survey = ['survey-lab', '--port', '19730'];
const node = ['node-vs-gunicorn', '--port', '19770', '--replicas', '1', '--service-ms', '2000'];

const withDevTools = recordByDevTools({ isSensitive: true });
/** As the tools propose it: without cookies and Authorization. */
const withoutSecrets = recordByDevTools({ isSensitive: false });

export const SCENES: readonly Scene[] = [
  { name: 'contest-question', lab: contest, recorder: recordByPlaywright, walk: askQuestion },
  { name: 'contest-submit-poll', lab: contest, recorder: recordByPlaywright, walk: submitAndPoll },
  { name: 'contest-notifications', lab: contest, recorder: recordByPlaywright, walk: pollNotifications },
  { name: 'contest-two-shards', lab: contest, recorder: recordByPlaywright, walk: twoShards },
  { name: 'contest-refused', lab: contest, recorder: recordByPlaywright, walk: refusedRequests },
  { name: 'school-practice', lab: school, recorder: recordByPlaywright, walk: practise },
  { name: 'school-cached', lab: school, recorder: recordByPlaywright, walk: cachedPages },
  { name: 'survey-phone', lab: survey, recorder: recordByPlaywright, walk: phone },
  { name: 'survey-cookie', lab: survey, recorder: recordByPlaywright, walk: whoAmI },
  { name: 'node-errors', lab: node, recorder: recordByPlaywright, walk: nodeErrors },
  { name: 'shop-visit', recorder: recordByPlaywright, walk: visitShop },
  { name: 'shop-account', recorder: recordByPlaywright, walk: account },
  { name: 'shop-worker', recorder: recordByPlaywright, walk: behindWorker },
  { name: 'shop-failures', recorder: recordByPlaywright, walk: streamsAndFailures },
  { name: 'tools-contest', lab: contest, recorder: withDevTools, walk: logInAtContest },
  { name: 'tools-contest-sanitized', lab: contest, recorder: withoutSecrets, walk: logInAtContest },
  { name: 'tools-survey-phone', lab: survey, recorder: withDevTools, walk: phone },
  { name: 'tools-shop-revisit', recorder: withDevTools, walk: revisitShop },
  { name: 'tools-shop-account-sanitized', recorder: withoutSecrets, walk: account },
];
