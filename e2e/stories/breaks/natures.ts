import type { Step } from '#core/plan/schema/plan.ts';

/** The natures that a step has from its server's point of view. The nature determines how a step can break. */
export const NATURES = ['page', 'list', 'json', 'login', 'form', 'upload', 'poll', 'background', 'stream'] as const;
export type Nature = (typeof NATURES)[number];

/** Returns the nature of a step. `lists` are the names of the pages that show a list. */
export function getNature(step: Step, lists: readonly string[]): Nature {
  if (step.stream !== undefined) return 'stream';
  if (step.poll !== undefined) return 'poll';
  if (step.background !== undefined) return 'background';
  if (isLogin(step)) return 'login';
  if (step.multipart !== undefined) return 'upload';
  if (isJson(step)) return 'json';
  if (step.method !== 'GET' && step.method !== 'HEAD') return 'form';
  return lists.includes(step.name) ? 'list' : 'page';
}

function isLogin({ method, form, body }: Step): boolean {
  if (method !== 'POST') return false;
  return Object.keys(form ?? {}).some((name) => /password/i.test(name)) || (typeof body === 'string' && /password/i.test(body));
}

/** Returns whether a step is a JSON call. This includes steps that read by POST, as in ohmage. */
function isJson({ checks, headers }: Step): boolean {
  return checks.some(({ kind }) => kind === 'json') || /json/.test(typeof headers['Accept'] === 'string' ? headers['Accept'] : '');
}
