import type { StartPart } from './supervisor/part.ts';

/** The servers that run in separate processes, by kind. The code of each kind is loaded when it is started. */
export const PARTS: Readonly<Record<string, () => Promise<StartPart>>> = {
  app: async () => (await import('./node-vs-gunicorn/app.ts')).startApp,
  mystery: async () => (await import('./node-vs-gunicorn/mystery.ts')).startMystery,
  evaluator: async () => (await import('./contest/evaluation.ts')).startEvaluator,
  scoreboard: async () => (await import('./contest/push/scoreboard.ts')).startScoreboard,
  chat: async () => (await import('./contest/push/chat.ts')).startChat,
  registration: async () => (await import('./registration/app.ts')).startRegistration,
  'school-site': async () => (await import('./school-site/site.ts')).startSite,
  'school-practice': async () => (await import('./school-site/practice.ts')).startPractice,
  'school-oracle': async () => (await import('./school-site/questions.ts')).startOracle,
  'survey-app': async () => (await import('./survey-lab/app.ts')).startSurveyApp,
  exam: async () => (await import('./exam/server.ts')).startExam,
  'slow-clients': async () => (await import('./slowClients.ts')).startSlowClients,
  link: async () => (await import('./link/forward.ts')).startLink,
};
