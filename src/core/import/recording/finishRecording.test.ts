import { describe, expect, it } from 'vitest';
import { finishRecording, MAX_ROUNDS } from './finishRecording.ts';
import { planOfSteps, type Site, walkThrough } from './testing/site.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Walk } from './walk.ts';

/** Returns the same site with other tokens for each session. */
type Session = (session: number) => Site;

/** A chain of forms: each page contains the token for the next request. */
const chained: Session = (session) => {
  const token = (page: number): string => `token-${session}-${page}-abcdef`;
  let reached = 0;
  return ({ path, form }) => {
    const page = Number(/\d+/.exec(path)?.[0] ?? 0);
    if (page > 0 && form['token'] !== token(page - 1)) return { status: 403, text: 'Refused' };
    reached = Math.max(reached, page);
    return { text: `<title>Page ${page}</title><form><input type="hidden" name="token" value="${token(page)}"></form>` };
  };
};

const POST = [['Content-Type', 'application/x-www-form-urlencoded']] as const;

/** Returns a journey recorded in session 1, with literal values and no captures. */
function recording(pages: number): { plan: Plan; recorded: Walk } {
  const steps = Array.from({ length: pages }, (_, page) => ({
    name: `page ${page}`,
    path: `/page/${page}`,
    ...(page === 0 ? {} : { method: 'POST', form: { token: `token-1-${page - 1}-abcdef`, text: 'typed' } }),
  }));
  const plan = planOfSteps(steps);
  const recorded = walkThrough(plan, chained(1)).map((step, page) => ({
    ...step,
    exchanges: step.exchanges.map((exchange) =>
      page === 0
        ? exchange
        : { ...exchange, headers: POST, body: new URLSearchParams({ token: `token-1-${page - 1}-abcdef`, text: 'typed' }).toString() },
    ),
  }));
  return { plan, recorded };
}

describe('finishRecording', () => {
  it('walks a recording until all tokens are captured and the plan no longer changes', async () => {
    let session = 1;
    const { plan, recorded } = recording(4);
    const result = await finishRecording(
      { plan, walk: recorded, secrets: new Map() },
      {
        hasOtherAccount: false,
        giveWay: () => Promise.resolve(),
        walk: (given) => Promise.resolve(walkThrough(given, chained((session += 1)))),
      },
    );
    expect(result.plan.journey.map(({ form }) => form?.['token'] ?? '')).toEqual(['', '{{token}}', '{{token_2}}', '{{token_3}}']);
    expect(result.plan.journey.every(({ form }) => form === undefined || form['text'] === 'typed')).toBe(true);
    expect(result.steps.every(({ isSame }) => isSame)).toBe(true);
    expect(result.isSettled).toBe(true);
    expect(result.captured.map(({ from }) => from)).toEqual(['page 0', 'page 1', 'page 2']);
  });

  it('does not settle if the journey has more chained forms than the maximum number of rounds', async () => {
    let session = 1;
    const { plan, recorded } = recording(MAX_ROUNDS + 4);
    const result = await finishRecording(
      { plan, walk: recorded, secrets: new Map() },
      {
        hasOtherAccount: false,
        giveWay: () => Promise.resolve(),
        walk: (given) => Promise.resolve(walkThrough(given, chained((session += 1)))),
      },
    );
    expect([result.rounds, result.isSettled]).toEqual([MAX_ROUNDS, false]);
    expect(result.steps.some(({ isSame }) => !isSame)).toBe(true);
  });

  it('ends with a walk as the other account, if there is one', async () => {
    const asked: string[] = [];
    let session = 1;
    const { plan, recorded } = recording(2);
    await finishRecording(
      { plan, walk: recorded, secrets: new Map() },
      {
        hasOtherAccount: true,
        giveWay: () => Promise.resolve(),
        walk: (given, as) => {
          asked.push(as);
          return Promise.resolve(walkThrough(given, chained((session += 1))));
        },
      },
    );
    expect(asked).toEqual(['other', 'recorded', 'other']);
  });

  it('adds a step that follows a redirect if only the redirect contains a value that is sent later', async () => {
    const site: Session =
      (session) =>
      ({ path, form }) => {
        const state = `state${session}abcdef0123`;
        if (path === '/start') return { status: 302, headers: [['Location', `/ask?client=shop&state=${state}`]] };
        if (path.startsWith('/ask')) return { text: '<title>Ask</title><form action="/decide"></form>' };
        return form['state'] === state ? { text: '<title>Welcome</title>' } : { status: 403, text: 'no' };
      };
    const steps = [
      { name: 'start', path: '/start', redirects: { follow: true, mayEndAtLogin: true } },
      { name: 'decide', method: 'POST', path: '/decide', form: { state: 'state1abcdef0123' } },
    ];
    const plan = planOfSteps(steps);
    const recorded = walkThrough(plan, site(1)).map((step) => ({
      ...step,
      exchanges: step.exchanges.map((exchange) =>
        step.step === 'decide' ? { ...exchange, headers: POST, body: 'state=state1abcdef0123' } : exchange,
      ),
    }));
    let session = 1;
    const result = await finishRecording(
      { plan, walk: recorded, secrets: new Map() },
      {
        hasOtherAccount: false,
        giveWay: () => Promise.resolve(),
        walk: (given) => Promise.resolve(walkThrough(given, site((session += 1)))),
      },
    );
    expect(result.plan.journey.map(({ name, path }) => `${name} ${path}`)).toEqual([
      'start /start',
      'start, redirected {{next_address}}',
      'decide /decide',
    ]);
    expect(result.plan.journey[0]?.expectStatus).toEqual([302]);
    expect(result.steps.map(({ isSame }) => isSame)).toEqual([true, true, true]);
  });
});
