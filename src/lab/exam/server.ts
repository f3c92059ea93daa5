import { z } from 'zod';
import { JsonLog } from '../logFile.ts';
import { type Account, valuesSchema } from '../lab.ts';
import type { Part } from '../supervisor/part.ts';
import { startWebServer } from '../web/server.ts';
import { type AnswerLine, Attempts } from './attempts.ts';
import { Front } from './front.ts';
import { Logins } from './logins.ts';
import { MoodleFace } from './moodle.ts';
import { options } from './options.ts';
import { TcexamFace } from './tcexam.ts';

/** Returns the fictitious pupils, which are the same at each start. */
export function listAccounts(count: number): Account[] {
  return Array.from({ length: count }, (_, index) => ({
    username: `pupil${index + 1}`,
    password: `slate-${1_000 + ((index * 7_919) % 9_000)}`,
  }));
}

const settingsSchema = z.object({ log: z.string(), answers: z.string(), port: z.number().nullable(), values: valuesSchema(options) });

/**
 * Serves the same exam to the same pupils as Moodle and as TCExam do. `GET /stored` returns the stored answers, for tests and not for
 * pupils.
 */
export async function startExam(input: unknown): Promise<Part> {
  const { log, answers, port, values } = settingsSchema.parse(input);
  const answerLog = await JsonLog.open<AnswerLine>(answers);
  const attempts = new Attempts(values, answerLog);
  const openLogins = (cookie: string): Logins =>
    new Logins({ cookie, lastsSeconds: values['login-seconds'], endOneIn: values['end-login-one-in'] });
  const [moodle, tcexam] = [openLogins('MoodleSession'), openLogins('PHPSESSID')];
  const passwords = new Map(listAccounts(values.accounts).map(({ username, password }) => [username, password]));
  const front = new Front(values, [moodle, tcexam]);
  return startWebServer({ name: 'exam', log, port, faults: values }, (app, breaks) => {
    app.get('/stored', (_request, response) => void response.json(attempts.report()));
    app.use(front.handler);
    const shared = { values, attempts, breaks, hasAccount: (person: string, password: string) => passwords.get(person) === password };
    new MoodleFace({ ...shared, logins: moodle }).addTo(app);
    new TcexamFace({ ...shared, logins: tcexam }).addTo(app);
    return {
      commands: {
        gauges: () => ({ ...attempts.gauges, ...front.gauges }),
        'forget-attempts': () => ({ forgotten: attempts.forget() }),
        'empty-cache': () => attempts.emptyCache(),
      },
      close: () => answerLog.close(),
    };
  });
}
