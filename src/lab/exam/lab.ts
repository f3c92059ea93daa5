import { z } from 'zod';
import type { RunningLab } from '../lab.ts';
import { openLab, practiceServer } from '../openLab.ts';
import { addSlowClients } from '../slowClients.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { options, type Values } from './options.ts';
import { listAccounts } from './server.ts';

const gaugesSchema = z.record(z.string(), z.number());

export const examLab = practiceServer({
  name: 'exam',
  title: 'Exam',
  story:
    'All pupils start at the bell, answer page by page and hand in. It behaves like Moodle and like TCExam, with workers and a backlog as of PHP.',
  options,
  missing: () => Promise.resolve([]),
  startAll,
});

async function startAll(supervisor: Supervisor, values: Values): Promise<RunningLab> {
  const exam = await supervisor.part('exam', 'exam', {
    log: supervisor.logFile('exam'),
    answers: supervisor.logFile('answers'),
    port: values.port,
    values,
  });
  await addSlowClients(supervisor, Number(new URL(exam.url).port), values['slow-clients']);
  return openLab(supervisor, {
    name: examLab.name,
    urls: [exam.url],
    addresses: [{ label: 'Exam', url: exam.url, help: 'The start page leads to the logins. /stored lists what is stored.' }],
    accounts: listAccounts(values.accounts),
    facts: { workers: values.workers, backlog: values.backlog, questions: values.questions, lock: values.lock },
    gauges: async () => gaugesSchema.parse(await exam.ask('gauges')),
    actions: { 'forget-attempts': () => exam.ask('forget-attempts'), 'empty-cache': () => exam.ask('empty-cache') },
  });
}
