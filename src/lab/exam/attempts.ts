import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonLog } from '../logFile.ts';
import type { Values } from './options.ts';

const POOL = 40;
const CHOICES = ['the first', 'the second', 'the third', 'the fourth'];
/** The first of this many questions of the pool is answered with a text, and so is every further one at this distance. */
const TEXT_ONE_IN = 3;

/** The questions of the exam. Those without choices are answered with a text. */
const QUESTIONS: readonly { readonly text: string; readonly choices: readonly string[] }[] = Array.from({ length: POOL }, (_, index) =>
  index % TEXT_ONE_IN === 0
    ? { text: `Question ${index + 1}: explain your answer.`, choices: [] }
    : { text: `Question ${index + 1}: choose one.`, choices: CHOICES.map((choice) => `${choice} of question ${index + 1}`) },
);

/** A question in an attempt. Its id is different in each attempt. */
export interface Item {
  readonly id: string;
  readonly text: string;
  /** The choices in the order in which this pupil sees them. */
  readonly choices: readonly string[];
  answer: string | null;
  /** Number of saves so far. A form with another number of saves is out of date. */
  saves: number;
}

export interface Attempt {
  readonly person: string;
  readonly number: number;
  readonly items: readonly Item[];
  readonly endsAtMs: number;
  state: 'running' | 'handed in' | 'too late';
}

/** A pupil's answer in stored form. */
export interface StoredAnswer {
  readonly person: string;
  readonly item: string;
  readonly text: string;
}

/** A pupil's acknowledged answer, in the form of a line in the log. */
export interface AnswerLine extends StoredAnswer {
  readonly at: string;
  readonly isStored: boolean;
}

export interface ExamReport {
  /** Ids of the items that pupils have answered, over all attempts. */
  readonly items: readonly string[];
  readonly people: readonly {
    readonly person: string;
    readonly state: Attempt['state'];
    readonly questions: number;
    readonly answers: number;
  }[];
  readonly answers: readonly StoredAnswer[];
}

/** All attempts of an exam. A test compares its counts with them as with a database. */
export class Attempts {
  private readonly values: Values;
  private readonly log: JsonLog<AnswerLine>;
  private readonly attempts = new Map<string, Attempt>();
  private nextNumber = randomInt(1_000, 9_000);
  private nextItem = randomInt(10_000, 90_000);
  private acknowledged = 0;
  private isWarm: boolean;

  constructor(values: Values, log: JsonLog<AnswerLine>) {
    this.values = values;
    this.log = log;
    this.isWarm = !values['cold-cache'];
  }

  of(person: string): Attempt | null {
    const attempt = this.attempts.get(person) ?? null;
    if (attempt?.state === 'running' && Date.now() > attempt.endsAtMs) attempt.state = 'too late';
    return attempt;
  }

  /** Starts the pupil's only attempt, or returns the attempt if it is in progress. Returns null if the attempt is over. */
  async start(person: string, nameItem: (attempt: number, position: number, item: number) => string): Promise<Attempt | null> {
    const earlier = this.of(person);
    if (earlier !== null) return earlier.state === 'running' ? earlier : null;
    const number = (this.nextNumber += 1);
    const items = shuffled(QUESTIONS)
      .slice(0, this.values.questions)
      .map(({ text, choices }, index) => ({
        id: nameItem(number, index + 1, (this.nextItem += 1)),
        text,
        choices: shuffled(choices),
        answer: null,
        saves: 0,
      }));
    const attempt: Attempt = { person, number, items, endsAtMs: Date.now() + 1_000 * this.values['exam-seconds'], state: 'running' };
    this.attempts.set(person, attempt);
    await this.readQuestions();
    await sleep(this.values['start-ms']);
    return attempt;
  }

  /**
   * Acknowledges a pupil's answer, and stores the answer unless `isLost` is true. A final answer replaces the autosaved one, and
   * invalidates the form that the pupil submitted.
   */
  save(attempt: Attempt, item: Item, text: string, { isLost, isFinal }: { readonly isLost: boolean; readonly isFinal: boolean }): void {
    const oneIn = this.values['swallow-one-in'];
    if (isFinal) {
      this.acknowledged += 1;
      item.saves += 1;
    }
    const isStored = !isLost && !(oneIn !== null && this.acknowledged % oneIn === 0);
    if (isStored) item.answer = text;
    else if (isFinal) item.answer = null;
    this.log.write({ at: new Date().toISOString(), person: attempt.person, item: item.id, text, isStored });
  }

  report(): ExamReport {
    const attempts = [...this.attempts.keys()].flatMap((person) => this.of(person) ?? []);
    const answers = attempts.flatMap(({ person, items }) =>
      items.flatMap(({ id, answer }) => (answer === null ? [] : [{ person, item: id, text: answer }])),
    );
    return {
      items: answers.map(({ item }) => item),
      people: attempts.map(({ person, state, items }) => ({
        person,
        state,
        questions: items.length,
        answers: items.filter(({ answer }) => answer !== null).length,
      })),
      answers,
    };
  }

  get gauges(): Readonly<Record<string, number>> {
    const { people, answers } = this.report();
    const count = (wanted: Attempt['state']): number => people.filter(({ state }) => state === wanted).length;
    return { attempts: people.length, 'handed in': count('handed in'), 'answers stored': answers.length };
  }

  /** Deletes all attempts, as a teacher does before the next test. Returns the number of attempts. */
  forget(): number {
    const { size } = this.attempts;
    this.attempts.clear();
    return size;
  }

  emptyCache(): void {
    this.isWarm = false;
  }

  /** Reads the questions slowly while the cache is cold. Every attempt that starts in that time reads them again. */
  private async readQuestions(): Promise<void> {
    if (this.isWarm) return;
    await sleep(this.values['cold-ms']);
    this.isWarm = true;
  }
}

function shuffled<Of>(list: readonly Of[]): Of[] {
  const left = [...list];
  return list.flatMap(() => left.splice(randomInt(left.length), 1));
}
