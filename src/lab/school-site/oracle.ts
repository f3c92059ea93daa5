import { z } from 'zod';
import type { Part } from '../supervisor/part.ts';
import { startWebServer } from '../web/server.ts';
import { answersOf } from './questions.ts';

const settingsSchema = z.object({ log: z.string(), port: z.number().nullable() });
const querySchema = z.object({ templateId: z.coerce.number().int(), seed: z.coerce.number().int() });

/** Serves the answers to every question: `GET /?templateId=T&seed=S` returns them by question and part. For tests, not for learners. */
export function startOracle(given: unknown): Promise<Part> {
  const { log, port } = settingsSchema.parse(given);
  return startWebServer({ name: 'oracle', log, port }, (app) => {
    app.get('/', (request, response) => {
      const query = querySchema.safeParse(request.query);
      if (!query.success) return void response.status(400).type('text/plain').send('Ask /?templateId=T&seed=S with whole numbers.\n');
      response.json(answersOf(query.data));
    });
    return {};
  });
}
