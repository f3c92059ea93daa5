import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { runOnWorker } from '../accessLog.ts';
import type { Part } from '../supervisor/part.ts';
import { readForm, textField } from '../web/html.ts';
import { startWebServer } from '../web/server.ts';
import { readCookies } from '../web/session.ts';
import { WorkerPool } from '../workerPool.ts';
import { Exam } from './exam.ts';
import { schoolPage, toolbarHtml } from './page.ts';
import { listAnswers, fieldOf, type Question, SEEDS, listSums, TEMPLATES } from './questions.ts';
import { sendToLogin, getSessions, sharedSettingsSchema } from './shared.ts';

const QUESTION_COOKIE = '__practice';
const REFUSALS = {
  closed: 'This chapter is closed.',
  spent: 'You have no attempts left.',
  tooFrequent: 'Too many attempts in a minute. Wait a moment.',
} as const;
const questionSchema = z.tuple([z.int(), z.int()]);

/**
 * Starts the practice service, which shows sums, checks answers, and continues with the next question. A sealed cookie holds the current
 * question.
 */
export function startPractice(input: unknown): Promise<Part> {
  const settings = sharedSettingsSchema.parse(input);
  const sessions = getSessions(settings);
  const workers = new WorkerPool(settings.values['practice-workers']);
  let stored = 0;

  return startWebServer({ name: 'practice', log: settings.log, faults: settings.values }, (app, breaks) => {
    const requireLogin: RequestHandler = (request, response, next) => {
      if (sessions.userOf(request, breaks) === null) return sendToLogin(request, response);
      const refusal = breaks.refusal(request);
      if (refusal === null) return next();
      sendPage(request, response, 'Practice', `<p class="error">${REFUSALS[refusal]}</p>`);
    };
    new Exam().addTo(app);
    app.get('/@@practice/monassis_status', (_request, response) => void response.type('text/plain').send('OK'));
    app.get('/@@practice/:grade', requireLogin, async (request, response) => {
      await runWork(response);
      const chapters = Array.from(
        { length: 9 },
        (_, index) => `<li><a href="/@@practice/select_chapter/${index + 1}">Chapter ${index + 1}</a></li>`,
      );
      sendPage(request, response, String(request.params['grade']), `<ul>\n${chapters.join('\n')}\n</ul>`);
    });
    app.get('/@@practice/select_chapter/:chapter', requireLogin, async (request, response) => {
      await runWork(response);
      sendQuestion(request, response);
    });
    app.post('/@@practice/submit_response', requireLogin, async (request, response) => {
      const form = await readForm(request);
      const question = readQuestion(request);
      await runWork(response);
      if (!question || textField(form, 'nextPage') !== '') return sendQuestion(request, response);
      const isRight = listAnswers(question).every((parts, index) =>
        parts.every((answer, part) => textField(form, fieldOf(index, part)).trim() === answer),
      );
      if (isRight && !breaks.isBroken('swallow', request)) stored += 1;
      const next =
        '<form action="/@@practice/submit_response" method="POST"><input type="submit" name="nextPage" value="Go to next question"></form>';
      sendPage(request, response, 'Answer', isRight ? `<p>Correct!</p>\n${next}` : `<p class="error">This is wrong.</p>\n${next}`);
    });
    return { commands: { gauges: () => ({ 'correct solutions': stored }) } };
  });

  function runWork(response: Response): Promise<void> {
    return runOnWorker(workers, response, () => sleep(settings.values['practice-ms']));
  }

  function sendPage(request: Request, response: Response, title: string, main: string): void {
    const toolbar = toolbarHtml(sessions.userOf(request));
    response
      .type('text/html')
      .set('Cache-Control', 'no-store')
      .send(schoolPage({ title, links: [], images: [], toolbar, main }));
  }

  function readQuestion(request: Request): Question | null {
    const text = sessions.unseal(readCookies(request).get(QUESTION_COOKIE));
    if (text === null) return null;
    const [templateId, seed] = questionSchema.parse(JSON.parse(text));
    return { templateId, seed };
  }

  function sendQuestion(request: Request, response: Response): void {
    const question = { templateId: randomInt(1, TEMPLATES + 1), seed: randomInt(SEEDS) };
    response.cookie(QUESTION_COOKIE, sessions.seal(JSON.stringify([question.templateId, question.seed])), {
      path: '/@@practice',
      httpOnly: true,
    });
    const fields = listSums(question).flatMap((parts, index) =>
      parts.map(({ left, right }, part) => `<label>${left} + ${right} = <input type="text" name="${fieldOf(index, part)}"></label>`),
    );
    const main = `<div><b>Random seed: </b>${question.seed}</div>
<div><b>Template id: </b>${question.templateId}</div>
<form action="/@@practice/submit_response" method="POST">
${fields.join('\n')}
<input type="submit" value="Submit">
</form>`;
    sendPage(request, response, 'Question', main);
  }
}
