import { UNKNOWN_BEFORE_RUN } from '#core/base/units.ts';
import { TITLES } from '#core/presentation/document/words.ts';
import { countOf } from '#core/base/units.ts';

/** Text that follows “Waiting for …”. */
export const CHANGING = 'the change and another check';

/** Texts of the page that checks machines and plan. */
export const check = {
  stories: {
    generator: 'If this computer can’t keep up, results show its limits, not the server’s.',
    target: 'If the server runs out of anything but processing power, the figures show that limit, not its speed.',
    hop: 'Proxies and databases can run out of connections and ports before the server does.',
  },
  state: {
    checking: 'Checking …',
    checked: 'The machines were checked.',
    refused: 'A machine could not be checked.',
    problems: (count: number) => countOf(count, 'problem'),
    warnings: (count: number) => countOf(count, 'warning'),
    notes: (count: number) => countOf(count, 'note'),
  },
  waiting: (name: string) => `the checks of ${name}`,
  fine: (count: number) => (count === 1 ? '1 check passed' : `${count} checks passed`),
  fix: 'What to do',
  undo: 'Undo',
  risk: 'Risk',
  explain: 'Details',
  apply: {
    open: 'Change it …',
    title: (host: string | null) => `Change a setting of ${host ?? 'this computer'}?`,
    story: 'Holdfast runs this there, reads the setting again, and records the change in later runs.',
    go: 'Change it',
    waiting: CHANGING,
  },
  path: {
    measure: (host: string | null) => (host === null ? 'Measure the bandwidth' : `Measure the bandwidth of ${host}`),
    toTarget: (target: string, cost: string) =>
      `Measuring the bandwidth to ${target} requests the first page of the plan repeatedly, for at most ${cost} of responses. That is traffic on the target.`,
    toHost: (host: string, cost: string) => `Measuring the bandwidth between ${host} and this computer transfers at most ${cost} each way.`,
    waiting: 'the measurement',
  },
  firstLook: { title: (host: string) => `Response of ${host}`, change: 'Change it on Target' },
  plan: 'The plan',
  planWaiting: 'the check of the plan',
  rehearsal: {
    title: (people: string) => `Rehearse with ${people} people`,
    summary: 'shows whether every step works',
    story: (people: string) =>
      `${people} people run the whole journey with short waits before each bell. Their accounts are used, and what they send is stored.`,
    start: (people: string) => `Rehearse with ${people} people`,
  },
  summary: 'Summary',
  summaryTargets: 'Target',
  summaryCriteria: 'Pass criteria',
  listCriteria: (stage: string) => `During “${stage}”`,
  criteriaOfAll: 'During the whole test',
  everyRequest: 'every request',
  summaryLookAt: 'Points to check afterwards',
  summaryMeasured: 'none: the result has figures without passed or failed',
  summaryLoad: 'Load',
  summaryRuns: 'Runs',
  summaryDuration: 'Duration',
  inWords: 'The plan in words',
  summaryRequests: 'Requests',
  summaryUnknown: UNKNOWN_BEFORE_RUN,
  leavesBehind: TITLES.leavesBehind,
  populate: {
    title: 'Accounts and data',
    rows: (name: string, needed: string, rows: string) =>
      `“${name}”: ${rows === '1' ? '1 row' : `${rows} rows`} in the list${needed === '1' ? '' : `, for ${needed} concurrent users`}.`,
    left: (name: string, left: string) => `“${name}”: ${left} Each is used once.`,
    reuse: 'Use all rows again',
    reuseHow: 'After the server was reset, or its attempts were deleted.',
    unreadable: (name: string, file: string) => `The list of “${name}”, ${file}, cannot be read.`,
    made: (made: string, total: string, target: string) => `Created from here at ${target}: ${made} of ${total} rows of the list.`,
    make: (rows: string) => `Create ${rows} on the server`,
    how: (perSecond: string) => `Through its own pages, at most ${perSecond} a second. Existing data stays untouched.`,
    remove: (rows: string) => `Remove the ${rows} created from here`,
    byCommand: 'They are created by a command. Run it on the command line: holdfast populate FILE.',
    record: (file: string) => `${file} lists what was created.`,
    removeTitle: (rows: string) => (rows === '1' ? 'Remove the row that was created?' : `Remove all ${rows} created rows?`),
    removeStory: (target: string) =>
      `They are deleted from ${target}, with everything done under them. This cannot be undone, but rows can be created again.`,
    removeConfirm: 'Remove the rows',
    removeHow: 'Removes only what was created from here, as the plan says.',
    starting: 'Starting …',
    progress: (done: string, failed: string, left: string) => `${done} done, ${failed} failed, ${left} left`,
    stop: 'Stop',
    created: (rows: string) => (rows === '1' ? '1 created.' : `${rows} created.`),
    removed: (rows: string) => (rows === '1' ? '1 removed.' : `${rows} removed.`),
    failed: (failed: string) => `${failed} failed.`,
    notTried: (left: string) => (left === '1' ? '1 not tried.' : `${left} not tried.`),
    again: 'Correct the problem and press again to retry only these.',
    more: (count: string) => `And ${count} more.`,
    failure: (row: string, key: string, reason: string) => `Row ${row} (${key}): ${reason}`,
  },
  summaryIdentify: 'Each request names Holdfast and the run, and lets the server’s owner find and stop the test.',
  stopHint: 'You can stop at any time and keep what was measured.',
};
