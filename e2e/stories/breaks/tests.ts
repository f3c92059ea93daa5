import type { GivenOptions } from '#core/base/lab/listing.ts';
import type { Answers } from '#core/presets/schema.ts';

/** A test of a preset against its practice server. It takes only a few seconds but still reaches a verdict. */
export interface BreakTest {
  readonly preset: string;
  /** Name of the test in cell ids: the choice that selects the test, and another word if needed. */
  readonly test: string;
  /** Values for questions. They are added to those for the practice server. */
  readonly answers: Answers;
  /** Options for the practice server. They are added to those of the preset. */
  readonly lab?: GivenOptions;
  /** Duration in seconds of each stage with users or a constant rate. Default: the duration that the preset chooses. */
  readonly stageSeconds?: number;
  /** Whether only the last stage, which is the largest, is run. */
  readonly isLastStageOnly?: boolean;
  /** Share of failures that can be decided with few requests, if the preset allows a smaller share. */
  readonly allowedShare?: number;
  /** Whether a time criterion cannot be decided with few requests. */
  readonly isWithoutTimes?: boolean;
  /** Names of the steps that are broken. Default: all. The others are covered by another test. */
  readonly steps?: readonly string[];
  /** Path that is appended to the address. Default: the address itself. */
  readonly path?: string;
  /** Whether the same account is used for everything. */
  readonly hasOneAccount?: boolean;
  /** Whether the target gets one login. The account of that login is then the only one. */
  readonly isLoggedIn?: boolean;
}

const PAGES = ['01-organic-molecules/01-organic-molecules-07', '10-colour/10-colour-06']
  .map((page) => `/grade-12/${page}.cnxmlplus`)
  .join('\n');
const READERS = { batch: 'small', users: 5, seconds: 30, pauseSeconds: 0.1, pages: PAGES };
const FAST_SCHOOL = { 'service-ms': 10, 'practice-ms': 10 };
const FAST_SURVEY = { 'service-ms': 1, 'upload-ms': 1, 'stream-rows': 200, responses: 50 };
const RANKING = ['contests', 'tasks', 'teams', 'users', 'scores', 'history'];
const REHEARSAL = { test: 'rehearsal', participants: 40, pauseSeconds: 0.5, arrivalMinutes: 0.15, minutes: 0.5, rushMinutes: 0.25 };
const WAITING = { participants: 40, arrivalMinutes: 0.15 };
const FAST_CONTEST = { 'service-ms': 10, 'evaluation-ms': 50 };
const ENDURANCE = { test: 'endurance', servers: 'node', serviceSeconds: 2, scale: 3 };
const SHORT_EXAM = { pupils: 12, loginMinutes: 0.05, waitSeconds: 4, examMinutes: 0.2, questions: 3 };
const FAST_EXAM = { 'service-ms': 2, 'start-ms': 2, questions: 3 };
const FAST_PAGES = { 'service-ms': 500 };
const FEW_ARRIVALS = { stageSeconds: 3.5, allowedShare: 0.04 };

export const BREAK_TESTS: readonly BreakTest[] = [
  {
    preset: 'cms-contest',
    test: 'page',
    answers: { test: 'page', participants: 50, minutes: 0.3, page: 'tasks/coprobber/description' },
    lab: FAST_CONTEST,
    isLoggedIn: true,
  },
  { preset: 'cms-contest', test: 'rehearsal', answers: REHEARSAL, lab: FAST_CONTEST },
  {
    preset: 'cms-contest',
    test: 'rehearsal-spectators',
    answers: { ...REHEARSAL, participants: 24, audience: 'spectators', spectators: 24 },
    lab: { ...FAST_CONTEST, 'events-per-second': 20 },
    steps: ['scoreboard', 'events'],
  },
  {
    preset: 'cms-contest',
    test: 'rehearsal-ranking',
    answers: { ...REHEARSAL, participants: 24, audience: 'spectators', spectators: 24, board: 'cms' },
    lab: { ...FAST_CONTEST, 'events-per-second': 20 },
    steps: RANKING,
  },
  { preset: 'cms-contest', test: 'opening-reload', answers: { test: 'opening', ...WAITING }, lab: FAST_CONTEST, stageSeconds: 4 },
  {
    preset: 'cms-contest',
    test: 'opening-button',
    answers: { test: 'opening', begin: 'button', ...WAITING },
    lab: { ...FAST_CONTEST, phase: 'own-start' },
    stageSeconds: 4,
    steps: ['start'],
  },
  {
    preset: 'cms-contest',
    test: 'closing',
    answers: { test: 'closing', rushMinutes: 0.15, rushEach: 1, ...WAITING },
    lab: FAST_CONTEST,
    stageSeconds: 5,
  },
  {
    preset: 'cms-contest',
    test: 'workers',
    answers: { test: 'workers', participants: 40, jobs: 30, submitSeconds: 2, warmSeconds: 1, jobSeconds: 0.05 },
    lab: FAST_CONTEST,
  },
  {
    preset: 'cms-contest',
    test: 'soak',
    answers: { test: 'soak', soakRate: 80, soakMinutes: 2, page: 'tasks/coprobber/description' },
    lab: FAST_CONTEST,
    isLoggedIn: true,
  },
  { preset: 'exam', test: 'moodle', answers: { system: 'moodle', ...SHORT_EXAM, autosaveSeconds: 1 }, lab: FAST_EXAM },
  { preset: 'exam', test: 'tcexam', answers: { system: 'tcexam', ...SHORT_EXAM }, lab: FAST_EXAM },
  { preset: 'node-vs-gunicorn', test: 'ping', answers: { test: 'ping', servers: 'node', strength: 'weak', scale: 3 }, ...FEW_ARRIVALS },
  {
    preset: 'node-vs-gunicorn',
    test: 'timeout',
    answers: { test: 'timeout', servers: 'node', serviceSeconds: 2, strength: 'weak', scale: 3 },
    lab: FAST_PAGES,
    ...FEW_ARRIVALS,
  },
  { preset: 'node-vs-gunicorn', test: 'endurance-heavy', answers: { ...ENDURANCE, heavyPerSecond: 2.5 }, lab: FAST_PAGES, stageSeconds: 6 },
  { preset: 'node-vs-gunicorn', test: 'endurance-timeout', answers: { ...ENDURANCE, page: 'timeout' }, lab: FAST_PAGES, stageSeconds: 6 },
  { preset: 'node-vs-gunicorn', test: 'endurance-ping', answers: { ...ENDURANCE, page: 'ping' }, stageSeconds: 4 },
  {
    preset: 'node-vs-gunicorn',
    test: 'bursts',
    answers: { test: 'bursts', servers: 'node', serviceSeconds: 0.5, firstBurst: 12, lastBurst: 42, burstStep: 15 },
    lab: FAST_PAGES,
  },
  {
    preset: 'node-vs-gunicorn',
    test: 'spike',
    answers: { test: 'spike', servers: 'node', serviceSeconds: 2, shorter: 10, calmSeconds: 13 },
    lab: FAST_PAGES,
    allowedShare: 0.05,
  },
  {
    preset: 'node-vs-gunicorn',
    test: 'characterize',
    answers: { test: 'characterize', riseSeconds: 15, highest: 30 },
    lab: { 'mystery-sync-ms': 50, 'mystery-async-ms': 50 },
    stageSeconds: 3,
  },
  { preset: 'ohmage', test: 'read', answers: { test: 'read', times: 59 }, lab: FAST_SURVEY, hasOneAccount: true },
  {
    preset: 'ohmage',
    test: 'upload',
    answers: { test: 'upload', phones: 6, minutes: 0.5 },
    lab: FAST_SURVEY,
    isLastStageOnly: true,
    allowedShare: 0.05,
  },
  {
    preset: 'ohmage',
    test: 'download',
    answers: { test: 'download', teachers: 4, minutes: 0.5 },
    lab: FAST_SURVEY,
    isLastStageOnly: true,
    allowedShare: 0.2,
    isWithoutTimes: true,
  },
  { preset: 'plain-page', test: 'page', answers: { seconds: 3 }, lab: FAST_CONTEST, path: 'tasks/coprobber/description', isLoggedIn: true },
  {
    preset: 'registration',
    test: 'open',
    answers: { places: 30, people: 60, fillSeconds: 1, comeSeconds: 2 },
    lab: { places: 30 },
    stageSeconds: 9,
  },
  {
    preset: 'registration',
    test: 'send',
    answers: { places: 30, people: 60, start: 'send', comeSeconds: 2, twice: 50, list: 'none' },
    lab: { places: 30 },
    stageSeconds: 9,
  },
  {
    preset: 'scoreboard',
    test: 'other',
    answers: { kind: 'other', spectators: 60, seconds: 5 },
    lab: { 'events-per-second': 30 },
    stageSeconds: 3,
    isLastStageOnly: true,
    allowedShare: 0.06,
  },
  {
    preset: 'scoreboard',
    test: 'cms',
    answers: { kind: 'cms', spectators: 60, seconds: 5 },
    lab: { 'events-per-second': 30 },
    stageSeconds: 3,
    isLastStageOnly: true,
    allowedShare: 0.06,
    // Times cannot be judged, because the practice scoreboard, unlike CMS, adds a delay of its own to its events.
    isWithoutTimes: true,
    steps: RANKING,
  },
  {
    preset: 'site-with-pages',
    test: 'read',
    answers: { test: 'read', ...READERS },
    lab: FAST_SCHOOL,
    stageSeconds: 3,
    isLastStageOnly: true,
  },
  {
    preset: 'site-with-pages',
    test: 'mobile',
    answers: { test: 'mobile', ...READERS },
    lab: FAST_SCHOOL,
    stageSeconds: 3,
    isLastStageOnly: true,
  },
  {
    preset: 'site-with-pages',
    test: 'practice',
    answers: { test: 'practice', learners: 8, seconds: 30, pauseSeconds: 0.05, answers: 3 },
    lab: FAST_SCHOOL,
    stageSeconds: 3,
    isLastStageOnly: true,
  },
  { preset: 'site-with-pages', test: 'cache', answers: { test: 'cache' }, lab: FAST_SCHOOL },
];
