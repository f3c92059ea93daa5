import { z } from 'zod';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { countResponses } from '#core/measurement/requestOutcomes.ts';
import type { PeopleResult } from '#core/result/people.ts';
import type { RunResult } from '#core/result/schema.ts';
import { planOfTest } from '../breaks/cells.ts';
import { equalFigure, exactFigure } from '../framework/figure.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import { story } from '../framework/story.ts';

interface Fault {
  readonly lab: GivenOptions;
  /** Text that a finding, the verdict or the list of people must contain. */
  readonly cause: RegExp;
}

const FAULTS = {
  none: { lab: {}, cause: /Passed/ },
  backlog: {
    lab: { workers: 4, backlog: 4, 'service-ms': 50, 'start-ms': 900 },
    cause: /queue (?:before the server is|of workers was) full/,
  },
  swallow: { lab: { 'swallow-one-in': 7 }, cause: /not stored/ },
  'ended logins': { lab: { 'end-login-one-in': 29 }, cause: /sent to log in/ },
  'too late': { lab: { 'exam-seconds': 9 }, cause: /refused at/ },
} as const satisfies Record<string, Fault>;

const storedSchema = z.object({
  people: z.array(z.object({ person: z.string(), state: z.string(), questions: z.int(), answers: z.int() })),
});
type Stored = z.infer<typeof storedSchema>;

/** Compares what became of each pupil with what the practice server stored for the pupil. */
export const people = story({
  id: 'exam/people',
  statement: 'An exam in which a fault hits some pupils: the result says what became of each, as the database has it.',
  owner: 'measure',
  usualSeconds: 60,
  needs: [],
  draw: (dice) => ({
    system: dice.pick(['moodle', 'tcexam']),
    pupils: dice.whole(16, 26),
    questions: dice.whole(3, 5),
    fault: dice.pick(['none', 'backlog', 'swallow', 'ended logins', 'too late']),
  }),
  async play(scene, { system, pupils, questions, fault }) {
    const { lab: options, cause } = FAULTS[fault as keyof typeof FAULTS];
    const lab = await scene.lab('exam', { 'service-ms': 10, ...options, questions: scene.hidden(questions) });
    const answers = {
      system,
      pupils,
      questions,
      loginMinutes: 0.1,
      waitSeconds: 5,
      examMinutes: 0.4,
      ...(system === 'moodle' ? { autosaveSeconds: 3_600 } : {}),
    };
    const result = await scene.run(planOfTest({ preset: 'exam', test: system, answers }, lab, lab.urls));
    const stored = await readStored(lab);
    const lines = await lab.linesWhen(countResponses(result.outcomes.requests), 'exam', ({ path }) => path !== '/stored');
    const { done = NaN, lines: ends = [], rows = [], items = null } = result.people ?? {};
    return [
      equalFigure('responses', countResponses(result.outcomes.requests), lines.filter(({ complete }) => complete).length),
      exactFigure('questions of an attempt', questions, items?.each ?? NaN, Math.max(...stored.people.map((person) => person.questions))),
      exactFigure(
        'pupils',
        pupils,
        ends.reduce((sum, line) => sum + line.people, 0),
        null,
      ),
      equalFigure('pupils who handed in', done, stored.people.filter(({ state }) => state === 'handed in').length),
      exactFigure(
        'pupils with the stored answers that the result says',
        pupils,
        rows.filter((row) => isAsStored(row, stored)).length,
        null,
      ),
      exactFigure('named causes', 1, listTexts(result).some((text) => cause.test(text)) ? 1 : 0, null),
    ];
  },
});

async function readStored(lab: LabProcess): Promise<Stored> {
  return storedSchema.parse(await (await fetch(new URL('stored', lab.urls[0]))).json());
}

/** Returns whether a row agrees with the server. Pupils use the rows of the accounts, whose names are numbered from 1. */
function isAsStored({ row, stored, unacknowledged, milestone }: PeopleResult['rows'][number], { people: all }: Stored): boolean {
  const found = all.find(({ person }) => person === `pupil${(row ?? NaN) + 1}`);
  const isHandedIn = (found?.state === 'handed in') === (milestone === 'handed in');
  return isHandedIn && (stored ?? 0) + (unacknowledged ?? 0) === (found?.answers ?? 0);
}

function listTexts({ verdict, findings, people: all }: RunResult): string[] {
  return [
    verdict.headline,
    verdict.sentence,
    ...findings.flatMap(({ sentence, evidence }) => [sentence, ...evidence]),
    ...(all?.lines ?? []).map(({ label }) => label),
  ];
}
