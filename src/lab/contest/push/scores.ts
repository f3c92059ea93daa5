import { z } from 'zod';

/** A scored solution. */
export const scoringSchema = z.object({
  /** Id of the solution. */
  id: z.string().max(200),
  user: z.string().max(100),
  task: z.string().max(100),
  score: z.number(),
  /** Times of submission and scoring, in ms since 1970. */
  submittedAtMs: z.number(),
  atMs: z.number(),
});
export type Scoring = z.infer<typeof scoringSchema>;

/** Number of the latest solutions that are listed. Earlier ones count only in the scores. */
const MAX_LISTED = 10_000;

/** The best score of each user in each task, and the solutions that led to the scores. The size is limited. */
export class Scores {
  private readonly best = new Map<string, Map<string, number>>();
  private listed: Scoring[] = [];

  /** Adds a scored solution. Returns the new score of the solution's user in its task. */
  add(scoring: Scoring): number {
    this.listed.push(scoring);
    if (this.listed.length >= 2 * MAX_LISTED) this.listed = this.listed.slice(-MAX_LISTED);
    const ofUser = this.best.get(scoring.user) ?? new Map<string, number>();
    const score = Math.max(scoring.score, ofUser.get(scoring.task) ?? 0);
    this.best.set(scoring.user, ofUser.set(scoring.task, score));
    return score;
  }

  /** Scores above 0, by user and task. */
  get scores(): Readonly<Record<string, Readonly<Record<string, number>>>> {
    const above = [...this.best].map(([user, tasks]) => [user, [...tasks].filter(([, score]) => score > 0)] as const);
    return Object.fromEntries(above.filter(([, tasks]) => tasks.length > 0).map(([user, tasks]) => [user, Object.fromEntries(tasks)]));
  }

  /** For each increase: user, task, time in seconds, and new score. */
  get history(): readonly (readonly [string, string, number, number])[] {
    const reached = new Map<string, number>();
    return this.latest.flatMap(({ user, task, atMs, score }) => {
      const key = `${user}/${task}`;
      if (score <= (reached.get(key) ?? 0)) return [];
      reached.set(key, score);
      return [[user, task, Math.floor(atMs / 1_000), score] as const];
    });
  }

  get submissions(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      this.latest.map(({ id, user, task, submittedAtMs }) => [id, { user, task, time: Math.floor(submittedAtMs / 1_000) }]),
    );
  }

  get subchanges(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      this.latest.map(({ id, atMs, score }) => [
        `${id}s`,
        { submission: id, time: Math.floor(atMs / 1_000), score, token: null, extra: [] },
      ]),
    );
  }

  listSubmissions(user: string): readonly Readonly<Record<string, unknown>>[] {
    return this.latest
      .filter((scoring) => scoring.user === user)
      .sort((left, right) => (left.task < right.task ? -1 : left.task > right.task ? 1 : left.submittedAtMs - right.submittedAtMs))
      .map(({ id, task, submittedAtMs, score }) => ({
        key: id,
        user,
        task,
        time: Math.floor(submittedAtMs / 1_000),
        score,
        token: false,
        extra: [],
      }));
  }

  private get latest(): Scoring[] {
    return this.listed.slice(-MAX_LISTED);
  }
}
