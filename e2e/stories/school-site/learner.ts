import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { accountFile } from '../framework/accounts.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { Scene } from '../framework/scene.ts';

/** Timers and a busy machine make times of 300 ms and more longer by so much at most; half of what a fifth changes. */
export const TIME_WITHIN = 0.1;

type StepInput = PlanInput['journey'][number];

export const logInStep: StepInput = {
  name: 'log in',
  method: 'POST',
  path: '/login_form',
  form: {
    __ac_name: '{{accounts.username}}',
    __ac_password: '{{accounts.password}}',
    _authenticator: '{{cookie._authenticator}}',
    'form.submitted': '1',
    came_from: '',
    next: '',
    ajax_load: '',
    ajax_include_head: '',
    target: '',
    mail_password_url: '',
    join_url: '',
    js_enabled: '0',
    cookies_enabled: '',
    login_name: '',
    pwd_empty: '0',
    submit: 'Log in',
  },
  checks: [{ kind: 'contains', text: 'You are now logged in' }],
};

/** The start page, whose cookie the form repeats, and the login. */
export const arrival: readonly StepInput[] = [{ name: 'home', path: '/' }, logInStep];

/** A file of so many learners, of whom the first few have a wrong password; for `feeds`. */
export async function learners(scene: Scene, lab: LabProcess, count: number, wrong = 0): Promise<NonNullable<PlanInput['feeds']>> {
  return { accounts: { file: await accountFile(scene, lab, count, wrong), order: 'unique' } };
}

/** Lines of what was asked for while a stage was on, by the clock. */
export function during({ run, stages }: RunResult, stage: number, lines: readonly LoggedRequest[]): LoggedRequest[] {
  const begin = Date.parse(run.startedAt);
  const { startedAtSecond, endedAtSecond } = stages[stage] ?? { startedAtSecond: null, endedAtSecond: null };
  const [from, to] = [begin + (startedAtSecond ?? NaN) * 1_000, begin + (endedAtSecond ?? NaN) * 1_000];
  return lines.filter(({ startedAtMs }) => startedAtMs >= from && startedAtMs <= to);
}

/**
 * For cycles whose rates are compared: what is answered after the load counts for no rate, which takes pages from the last cycle only. With
 * somebody alone coming after it, it is a cycle like the others.
 */
export const afterwards = { name: 'afterwards', users: 1, seconds: 1, counted: false } as const;
