import { describe, expect, it } from 'vitest';
import { finishRecording, type FinishedRecording } from './finishRecording.ts';
import { planOfSteps, type Site, walkThrough } from './testing/site.ts';
import type { Exchange, Walk } from './walk.ts';

const POST = [['Content-Type', 'application/x-www-form-urlencoded']] as const;

/**
 * A mailbox that numbers the drafts of each account from 1. Saving a draft again replaces the draft with the sent number, as mail programs
 * do.
 */
function mailbox(drafts: Map<number, string>, show: (id: number) => string): Site {
  const save = (text: string): number => {
    const id = Math.max(0, ...drafts.keys()) + 1;
    drafts.set(id, text);
    return id;
  };
  return ({ method, path, form }) => {
    if (method === 'GET') return { text: `<title>Write</title><form>${path.includes('list') ? show(3) : ''}</form>` };
    if (form['draft_id'] !== undefined) drafts.delete(Number(form['draft_id']));
    return { text: `<title>Write</title><form>${show(save(form['text'] ?? ''))}</form>` };
  };
}

interface HeldBackRecording extends FinishedRecording {
  /** Drafts of the other account after the walks. */
  readonly drafts: ReadonlyMap<number, string>;
  readonly asked: readonly string[];
}

/** The recorded account has two drafts, writes a third and saves it twice. The other account has drafts with `otherIds`. */
async function finish(show: (id: number) => string, otherIds: readonly number[]): Promise<HeldBackRecording> {
  const steps = [
    { name: 'write', path: '/write' },
    { name: 'save', method: 'POST', path: '/save', form: { text: 'first' } },
    { name: 'save again', method: 'POST', path: '/save', form: { draft_id: '3', text: 'second' } },
  ];
  const plan = planOfSteps(steps);
  const own = new Map([1, 2].map((id) => [id, 'mine']));
  const site = mailbox(own, show);
  const recorded: Walk = walkThrough(plan, site).map((step, index) => ({
    ...step,
    exchanges: step.exchanges.map((exchange): Exchange =>
      index === 0 ? exchange : { ...exchange, headers: POST, body: new URLSearchParams(steps[index]?.form).toString() },
    ),
  }));
  const drafts = new Map(otherIds.map((id) => [id, 'precious']));
  const asked: string[] = [];
  const finished = await finishRecording(
    { plan, walk: recorded, secrets: new Map() },
    {
      hasOtherAccount: true,
      giveWay: () => Promise.resolve(),
      walk: (given, as) => {
        asked.push(`${as} ${given.journey.length}`);
        return Promise.resolve(walkThrough(given, mailbox(as === 'other' ? drafts : own, show)));
      },
    },
  );
  return { ...finished, drafts, asked };
}

const precious = ({ drafts }: HeldBackRecording): number => [...drafts.values()].filter((text) => text === 'precious').length;

describe('a walk as another account', () => {
  it('ends before it would overwrite another item with the recorded number', async () => {
    const finished = await finish((id) => `<p>Saved as number ${id}.</p>`, [1, 2, 3, 4]);
    expect(finished.heldBack).toEqual({ step: 'save again', called: 'draft_id', value: '3' });
    expect(finished.asked.every((walk) => walk.endsWith(' 2'))).toBe(true);
    expect(precious(finished)).toBe(4);
    expect(finished.plan.journey.map(({ name }) => name)).toEqual(['write', 'save']);
    expect(finished.steps.map(({ why }) => why?.kind ?? 'same')).toEqual(['same', 'same', 'notReached']);
  });

  it('ends before it would choose an option that a form offered only to the recorded person', async () => {
    const steps = [
      { name: 'write', path: '/write' },
      { name: 'send', method: 'POST', path: '/send', form: { sender: '1', text: 'hello' } },
    ];
    const plan = planOfSteps(steps);
    const senders: string[] = [];
    const readSite =
      (sender: string): Site =>
      ({ method, form }) => {
        if (method === 'POST') senders.push(`${sender} as ${form['sender']}`);
        return { text: `<title>Write</title><select name="sender"><option value="${sender}" selected>Me</option></select>` };
      };
    const recorded = walkThrough(plan, readSite('1')).map((step, index) => ({
      ...step,
      exchanges: step.exchanges.map((exchange) => (index === 0 ? exchange : { ...exchange, headers: POST, body: 'sender=1&text=hello' })),
    }));
    senders.length = 0;
    const finished = await finishRecording(
      { plan, walk: recorded, secrets: new Map() },
      {
        hasOtherAccount: true,
        giveWay: () => Promise.resolve(),
        walk: (given, as) => Promise.resolve(walkThrough(given, readSite(as === 'other' ? '5' : '1'))),
      },
    );
    expect(senders.filter((sent) => sent === '5 as 1')).toEqual([]);
    const isHeld = finished.heldBack?.called === 'sender';
    expect(isHeld || finished.plan.journey[1]?.form?.['sender'] !== '1').toBe(true);
  });

  it('sends the writing request once its own pages show the number', async () => {
    const finished = await finish((id) => `<input type="hidden" name="draft_id" value="${id}">`, [1, 2, 3, 4]);
    expect(finished.heldBack).toBeNull();
    expect(finished.plan.journey[2]?.form?.['draft_id']).toBe('{{draft_id}}');
    expect(finished.asked[0]).toBe('other 2');
    expect(finished.asked.at(-1)).toBe('other 3');
    expect(precious(finished)).toBe(4);
    expect(finished.isSettled).toBe(true);
  });

  it('sends a number that a form offers to all accounts', async () => {
    const field = '<select name="draft_id"><option value="2">A</option><option value="3">B</option></select>';
    const finished = await finish(() => field, []);
    expect([finished.heldBack, finished.isSettled]).toEqual([null, true]);
    expect(finished.plan.journey[2]?.form?.['draft_id']).toBe('3');
  });
});
