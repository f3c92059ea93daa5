import { NOT_KNOWN_BEFORE } from '#core/review/description.ts';

/** Goes on “Waiting for …”. */
export const CHANGING = 'the change and a second look';

/** Words of the wizard's page that has machines and plan checked. */
export const check = {
  stories: {
    generator: 'It must be able to send the load, or it would measure itself.',
    target: 'A server that runs out of something else than speed gives figures that say nothing about its speed.',
    hop: 'What stands in between can run out of connections and ports before the server does.',
  },
  waiting: (name: string) => `the checks of ${name}`,
  fine: (count: number) => (count === 1 ? '1 check fine' : `${count} checks fine`),
  fix: 'What to do',
  undo: 'To undo it',
  risk: 'Risk',
  explain: 'More about this',
  apply: {
    open: 'Change it …',
    title: (host: string | null) => `Change a setting of ${host ?? 'this computer'}?`,
    story: 'Holdfast runs this there, reads the setting again, and notes it in the runs that follow.',
    go: 'Change it',
    waiting: CHANGING,
  },
  path: {
    measure: (host: string | null) => (host === null ? 'Measure the bandwidth' : `Measure the bandwidth of ${host}`),
    toTarget: (target: string, cost: string) =>
      `How much fits through the line to ${target} is only known when it is measured: by asking for the first page of the plan again and again, for at most ${cost} of answers. That is traffic on the target.`,
    toHost: (host: string, cost: string) =>
      `How much fits through the line between ${host} and this computer is only known when it is measured, with at most ${cost} each way.`,
    waiting: 'the measurement',
  },
  plan: 'The plan',
  planWaiting: 'the check of the plan',
  summary: 'What will happen',
  summaryTargets: 'Sent to',
  summaryFrom: 'Sent from',
  summaryLoss: { continue: 'if one is lost, the others go on', stop: 'if one is lost, the test stops' },
  summaryChange: 'Choose machines',
  summaryWatched: 'Watched',
  summaryObjectives: 'Good enough means',
  limitsOf: (stage: string) => `During “${stage}”`,
  limitsOfAll: 'During the whole test',
  everyRequest: 'every request',
  summaryLookAt: 'What to look at afterwards',
  summaryMeasured: 'No limits: the result will only measure.',
  summaryDuration: 'Takes about',
  summaryRequests: 'Requests',
  summaryUnknown: NOT_KNOWN_BEFORE,
  leavesBehind: 'Stays on the server',
  populate: {
    title: 'Accounts and data',
    rows: (name: string, needed: string, rows: string) =>
      needed === '1'
        ? `“${name}”: ${rows} rows in the list.`
        : `“${name}”: ${rows} rows in the list, for ${needed} users at the same time.`,
    unreadable: (name: string, file: string) => `The list of “${name}”, ${file}, cannot be read.`,
    made: (made: string, total: string, target: string) => `${made} of ${total} rows of the list were made at ${target} from here.`,
    make: (rows: string) => `Make ${rows} on the server`,
    how: (perSecond: string) => `Through its own pages, at most ${perSecond} a second. What was made before is left alone.`,
    remove: (rows: string) => `Remove the ${rows} that were made`,
    byCommand: 'They are made by a command, and commands run from the command line only: holdfast populate FILE.',
    record: (file: string) => `Which were made is noted in ${file}.`,
    removeTitle: (rows: string) => (rows === '1' ? 'Remove the one that was made?' : `Remove all ${rows} that were made?`),
    removeStory: (target: string) =>
      `They are taken away from ${target}, and with them whatever they did there. This cannot be taken back; others can be made again.`,
    removeConfirm: 'Remove them',
    removeHow: 'Only what was made from here, as the plan says how.',
    starting: 'Beginning …',
    progress: (done: string, failed: string, left: string) => `${done} done, ${failed} failed, ${left} to go`,
    stop: 'Stop',
    created: (rows: string) => (rows === '1' ? '1 was made.' : `${rows} were made.`),
    removed: (rows: string) => (rows === '1' ? '1 was removed.' : `${rows} were removed.`),
    failed: (failed: string) => `${failed} failed.`,
    left: (left: string) => (left === '1' ? '1 was not tried.' : `${left} were not tried.`),
    again: 'Mend what is wrong and press again: only these are tried then.',
    more: (count: string) => `And ${count} more.`,
    failure: (row: string, key: string, reason: string) => `Row ${row} (${key}): ${reason}`,
  },
  summaryIdentify: 'Each request names Holdfast and the run, so that the server’s owner can find and stop the test.',
  stopHint: 'You can stop it at any time; what was measured until then is kept.',
};
