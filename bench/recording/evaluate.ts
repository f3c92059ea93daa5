import { finishRecordingFrom } from '#backend/services/recordings/finishRecording.ts';
import { createSecrets } from '#backend/services/secrets.ts';
import { planOfRecording } from '#core/import/har/importHar.ts';
import { listLeaves, planLeaves } from '#core/import/recording/leaves.ts';
import { ACCOUNTS } from './application.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { recordJourney } from './recordJourney.ts';
import type { Subject } from './subjects.ts';

export interface Line {
  readonly application: string;
  readonly journey: string;
  readonly steps: readonly string[];
  /** Number of dynamic values in requests, and how many of these the plan captures from a response. */
  readonly dynamic: number;
  readonly found: number;
  readonly missed: readonly string[];
  /** Values that the plan captures although they are the same for every user. */
  readonly wrong: readonly string[];
  /** Steps whose responses in the last walk differed from the recording. The last walk uses another account. */
  readonly departed: readonly string[];
  readonly rounds: number;
  readonly isSettled: boolean;
}

const workerEntry = new URL('../../workers/loadWorker.ts', import.meta.url);

/** Records a journey, makes a plan from the recording, and compares the plan with what the server knows. */
export async function evaluate(subject: Subject, journey: string): Promise<Line> {
  const runningSubject = await subject.start();
  try {
    const walk = subject.journeys[journey];
    if (walk === undefined) throw new Error(`There is no journey ${journey}.`);
    const [own, other] = runningSubject.accounts;
    const before = new Set(runningSubject.issued);
    const who = { ...(own ?? ACCOUNTS[0]), isBasic: subject.isBasic };
    const { har } = await recordJourney(runningSubject.url, who, walk);
    const issued = [...runningSubject.issued].filter((value) => !before.has(value));
    const accounts = [{ number: 1, userField: subject.userField, userName: who.userName, password: who.password }];
    const secrets = createSecrets({ environment: {}, onKnown() {} });
    const recording = planOfRecording(har, { accounts });
    const result = await finishRecordingFrom(
      { recording, accounts, others: other === undefined ? [] : [{ number: 1, ...other }] },
      { usedRows: null, secrets, workerEntry, version: 'bench' },
    );
    if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
    const { plan, steps, rounds, isSettled } = result.finished;
    let [dynamic, found] = [0, 0];
    const [missed, wrong]: [string[], string[]] = [[], []];
    for (const step of recording.walk) {
      const request = step.exchanges[0];
      const planned = plan.journey.find(({ name }) => name === step.step);
      if (request === undefined || planned === undefined) continue;
      const texts = new Map(planLeaves(planned).map(({ key, text }) => [key, text]));
      for (const leaf of listLeaves(request)) {
        const text = texts.get(leaf.key);
        if (text === undefined || leaf.value === '' || leaf.location === 'body') continue;
        const isDynamic =
          issued.some((value) => leaf.value === value || (value.length >= 8 && leaf.value.includes(value))) ||
          runningSubject.isDynamic(leaf);
        const names = text === null ? [] : listPlaceholderNames(text).filter((name) => !/^(username|password|login)$/.test(name));
        const isCaptured = names.some(
          (name) => name.startsWith('cookie.') || plan.journey.some(({ captures }) => captures?.some(({ as }) => as === name)),
        );
        const reportedText = `${step.step}: ${leaf.key} = ${leaf.value.slice(0, 40)} → ${(text ?? '(secret)').slice(0, 50)}`;
        if (isDynamic) {
          dynamic += 1;
          if (isCaptured) found += 1;
          else missed.push(reportedText);
        } else if (isCaptured) wrong.push(reportedText);
      }
    }
    const departed = steps
      .filter(({ isSame }) => !isSame)
      .map(({ step, why }) => `${step} (${why?.kind}${why?.kind === 'failure' ? ` ${why.failure}` : ''})`);
    if (process.env['SHOW'] !== undefined) console.log(JSON.stringify(result, null, 1));
    return {
      application: subject.name,
      journey,
      steps: plan.journey.map(({ name }) => name),
      dynamic,
      found,
      missed,
      wrong,
      departed,
      rounds,
      isSettled,
    };
  } finally {
    await runningSubject.stop();
  }
}
