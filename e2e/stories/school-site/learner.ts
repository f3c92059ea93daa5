import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { accountFile } from '../framework/accounts.ts';
import type { LabProcess } from '../framework/labProcess.ts';
import type { Scene } from '../framework/scene.ts';

/**
 * Tolerance for times of 300 ms and more. Timers and a busy machine lengthen times by at most this share, which is half of the shift of
 * 20 %.
 */
export const TIME_TOLERANCE = 0.1;

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

/** The first steps: the start page, whose cookie the form repeats, and the login. */
export const ARRIVAL_STEPS: readonly StepInput[] = [{ name: 'home', path: '/' }, logInStep];

/** Returns `feeds` with a file of learners. The first few learners may have a wrong password. */
export async function learners(scene: Scene, lab: LabProcess, count: number, wrong = 0): Promise<NonNullable<PlanInput['feeds']>> {
  return { accounts: { file: await accountFile(scene, lab, count, wrong), order: 'unique' } };
}

/** Returns the log lines from a stage, selected by their time. */
export function linesDuring({ run, stages }: RunResult, stage: number, lines: readonly LoggedRequest[]): LoggedRequest[] {
  const begin = Date.parse(run.startedAt);
  const { startedAtSecond, endedAtSecond } = stages[stage] ?? { startedAtSecond: null, endedAtSecond: null };
  const [from, to] = [begin + (startedAtSecond ?? NaN) * 1_000, begin + (endedAtSecond ?? NaN) * 1_000];
  return lines.filter(({ startedAtMs }) => startedAtMs >= from && startedAtMs <= to);
}

/**
 * A last stage for cycles whose rates are compared. Responses after the load count for no rate. With this stage, the last cycle is followed
 * by another stage, like the others.
 */
export const AFTERWARDS_STAGE = { name: 'afterwards', users: 1, seconds: 1, counted: false } as const;
