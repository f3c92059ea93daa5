import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Part } from '../supervisor/part.ts';
import { startWebServer } from '../web/server.ts';

/** A question of the practice service: its template, and the seed for its numbers. */
export interface Question {
  readonly templateId: number;
  readonly seed: number;
}

interface Sum {
  readonly left: number;
  readonly right: number;
}

const MAX_PARTS = 2;
const MAX_QUESTIONS = 3;
const NUMBERS = 90;
export const TEMPLATES = 40;
export const SEEDS = 1_000_000;

/** Returns the sums of a question: parts (a, b …) of questions (1, 2 …). They depend only on template and seed. */
export function listSums({ templateId, seed }: Question): Sum[][] {
  const questions = 1 + (templateId % MAX_QUESTIONS);
  const numbers = createHash('sha256').update(`${templateId}/${seed}`).digest();
  let at = 0;
  const nextNumber = (): number => 10 + ((numbers[at++ % numbers.length] ?? 0) % NUMBERS);
  return Array.from({ length: questions }, (_, question) =>
    Array.from({ length: 1 + ((templateId + question) % MAX_PARTS) }, () => ({ left: nextNumber(), right: nextNumber() })),
  );
}

/** Returns the answers by question and part, as the oracle serves them. */
export function listAnswers(question: Question): string[][] {
  return listSums(question).map((parts) => parts.map(({ left, right }) => String(left + right)));
}

/** Returns the name of a form field, such as `question1a`. */
export function fieldOf(question: number, part: number): string {
  return `question${question + 1}${String.fromCodePoint('a'.charCodeAt(0) + part)}`;
}

const settingsSchema = z.object({ log: z.string(), port: z.number().nullable() });
const querySchema = z.object({ templateId: z.coerce.number().int(), seed: z.coerce.number().int() });

/**
 * Starts a server that knows the answers to every question: `GET /?templateId=T&seed=S` returns them by question and part. It is for tests,
 * not for learners.
 */
export function startOracle(input: unknown): Promise<Part> {
  const { log, port } = settingsSchema.parse(input);
  return startWebServer({ name: 'oracle', log, port }, (app) => {
    app.get('/', (request, response) => {
      const query = querySchema.safeParse(request.query);
      if (!query.success) return void response.status(400).type('text/plain').send('Ask /?templateId=T&seed=S with whole numbers.\n');
      response.json(listAnswers(query.data));
    });
    return {};
  });
}
