import { createServer, connect as connectPlain, type Server, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { joinInvitation, connectToInviter } from '#agent/join/joinInvitation.ts';
import { type Invitation as InvitationLine, type InvitationState, readInvitation, formatInvitation } from '#contract/agent/invitation.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { codeOf } from '#core/base/errors.ts';
import { Invitation } from '#backend/remote/invite/invitation.ts';
import { describeProposal, isSamePlan } from '#core/review/proposal.ts';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget, type TestTarget } from '#backend/testing/target.ts';
import { agentProgram } from '#tools/testing/threads.ts';

let target: TestTarget;
let test: TestBackend;
let leave: AbortController;
const others: Server[] = [];

beforeEach(async () => {
  target = await startTarget({ serviceMs: 5 });
  test = await startTestBackend();
  leave = new AbortController();
});
afterEach(async () => {
  leave.abort(new Error('the test is over'));
  for (const server of others.splice(0)) server.close();
  await test.close();
  await target.close();
});

const plan = (changes: Partial<PlanInput> = {}) => planFor(`${target.url}page`, changes);
const LOAD: PlanInput['load'] = { model: 'connections', stages: [{ connections: 6, requests: 301 }] };

function invite(computers: number, changes: Partial<PlanInput> = { load: LOAD }): Promise<InvitationState> {
  return test.client.call('invites.open', { plan: plan(changes), computers, host: '127.0.0.1' });
}

/** Joins as a person who decides with `agree`. Returns the requests that the computer has sent, and the code of an error at the end. */
function join(invitation: string, agree: boolean | Promise<boolean> = true) {
  const computer = { sent: null as number | null, code: null as string | null, asked: [] as string[], done: Promise.resolve() };
  computer.done = joinInvitation(invitation, {
    agentFile: agentProgram,
    agree: async ({ targets, amount }) => {
      computer.asked.push(...targets, amount);
      return agree;
    },
    onWaiting: () => {},
    onSent: (requests) => (computer.sent = requests),
    signal: leave.signal,
  }).catch((thrown: unknown) => void (computer.code = codeOf(thrown) ?? String(thrown)));
  return computer;
}

/** Resolves with the first state of the invitation that is accepted. */
function waitFor(isWanted: (state: InvitationState) => boolean): Promise<InvitationState> {
  const { promise, resolve } = Promise.withResolvers<InvitationState>();
  const end = test.client.open(
    'invites.watch',
    {},
    { onItem: ({ invitation }) => invitation !== null && isWanted(invitation) && resolve(invitation), onEnd: () => {} },
  );
  return promise.finally(end);
}
function read({ invitation }: InvitationState): InvitationLine {
  const parsed = readInvitation(invitation);
  if (parsed === null) throw new Error('the invitation is unreadable');
  return parsed;
}
/** Resolves when the connection is closed, also by a reset. */
function waitForClose(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
const readyNames = ({ joined }: InvitationState): string[] => joined.flatMap(({ state, name }) => (state === 'ready' ? [name] : []));

async function startRun(on: string[], changes: Partial<PlanInput> = { load: LOAD }) {
  const { runId } = await test.client.call('runs.start', { plan: plan(changes), on });
  const seconds = Promise.withResolvers<void>();
  const ended = watchToEnd(test.client, runId, ({ points }) => points.length > 0 && seconds.resolve()).then(() =>
    test.client.call('runs.result', { runId }),
  );
  return { ended, firstSecond: seconds.promise };
}

describe('a run of invited computers', () => {
  it('counts what the server counted, and each computer knows what it sent', async () => {
    const { invitation } = await invite(2);
    const computers = [join(invitation), join(invitation)];
    const names = readyNames(await waitFor((state) => readyNames(state).length === 2));
    const { ended } = await startRun(['here', ...names]);
    const result = await ended;
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true });
    expect([result.outcomes.requests.sent, result.outcomes.requests.ok, target.log.length]).toEqual([301, 301, 301]);
    expect(result.generators.map(({ name, lost }) => [name, lost])).toEqual([
      ['this computer', null],
      ['invited-1', null],
      ['invited-2', null],
    ]);
    await Promise.all(computers.map(({ done }) => done));
    expect(computers.map(({ code }) => code)).toEqual([null, null]);
    expect(computers.map(({ sent }) => sent)).toEqual(result.generators.slice(1).map(({ figures }) => figures?.sent));
    expect(computers[0]?.asked[0]).toBe(`${target.url}page`);
    expect(result.events.filter(({ kind }) => kind === 'clock')).toHaveLength(2);
    expect(await waitFor(({ closed }) => closed === 'ended')).toMatchObject({ closed: 'ended' });
    // The code was for one run.
    const late = join(invitation);
    await late.done;
    expect([late.code, late.asked, target.log.length]).toEqual(['INVITER_UNREACHABLE', [], 301]);
  });

  it('keeps the windows of a computer that leaves, reports it and cannot pass', async () => {
    const load: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 60, seconds: 3 }] };
    const { invitation } = await invite(1, { load });
    const computer = join(invitation);
    await waitFor((state) => readyNames(state).length === 1);
    const { ended, firstSecond } = await startRun(['here', 'invited-1'], { load });
    await firstSecond;
    leave.abort(new Error('the person left'));
    const result = await ended;
    expect(result).toMatchObject({ run: { state: 'finished' }, balances: true });
    expect(result.generators[1]?.lost?.text).toMatch(/^The agent on invited-1 ended unexpectedly/);
    expect(result.outcomes.requests.sent).toBeLessThanOrEqual(target.log.length);
    expect(result.outcomes.requests.sent).toBeGreaterThanOrEqual(90);
    expect(result.verdict.outcome).not.toBe('passed');
    await computer.done;
    const counted = target.log.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(target.log.length).toBe(counted);
  });

  it('is refused if its load is not the one to which the users of the computers agreed', async () => {
    const { invitation } = await invite(1);
    const computer = join(invitation);
    await waitFor((state) => readyNames(state).length === 1);
    const more: PlanInput['load'] = { model: 'connections', stages: [{ connections: 6, requests: 302 }] };
    await expect(startRun(['invited-1'], { load: more })).rejects.toMatchObject({ code: 'OTHER_LOAD' });
    await computer.done;
    expect([computer.code, target.log.length]).toEqual(['OTHER_LOAD', 0]);
  });

  it('accepts a plan with secrets, and refuses it with another secret', async () => {
    const withKey = (key: string): Partial<PlanInput> => ({
      load: LOAD,
      targets: [{ url: `${target.url}page`, headers: { 'X-Key': key } }],
    });
    for (const [key, code, sent] of [
      ['the-agreed-key', null, 301],
      ['an-other-key', 'OTHER_LOAD', 301],
    ] as const) {
      const { invitation, proposal } = await invite(1, withKey('the-agreed-key'));
      const shown = plan({ ...withKey('the-agreed-key'), graceSeconds: 0 });
      expect([isSamePlan(shown, proposal), JSON.stringify(proposal).includes('the-agreed-key')]).toEqual([true, false]);
      const computer = join(invitation);
      await waitFor((state) => readyNames(state).length === 1);
      const started = startRun(['invited-1'], withKey(key));
      await (code === null ? started.then(({ ended }) => ended) : expect(started).rejects.toMatchObject({ code }));
      await computer.done;
      expect([computer.code, target.log.length]).toEqual([code, sent]);
    }
  });
});

describe('an invitation', () => {
  it('sends nothing from a computer whose user declines', async () => {
    const { invitation } = await invite(1);
    const computer = join(invitation, false);
    const state = await waitFor(({ joined }) => joined[0]?.state === 'declined');
    await computer.done;
    expect([computer.code, state.joined[0]?.hostname, target.log.length]).toEqual(['CANCELLED', null, 0]);
    await expect(startRun(['invited-1'])).rejects.toMatchObject({ code: 'INVITED_LEFT' });
  });

  it('refuses a wrong code, and ends after five of them', async () => {
    const state = await invite(1);
    const wrong = { ...read(state), code: state.code.replace(/^./, (first) => (first === '0' ? '1' : '0')) };
    for (let turn = 0; turn < 5; turn += 1) {
      const computer = join(formatInvitation(wrong));
      await computer.done;
      expect([computer.code, computer.asked]).toEqual(['INVITATION_REFUSED', []]);
    }
    expect(await waitFor(({ closed }) => closed !== null)).toMatchObject({ closed: 'wrongCodes', wrongCodes: 5, joined: [] });
    const right = join(state.invitation);
    await right.done;
    expect([right.code, target.log.length]).toEqual(['INVITER_UNREACHABLE', 0]);
  });

  it('refuses more computers than it invites, and dismisses waiting computers when it is withdrawn', async () => {
    const { invitation } = await invite(1);
    const pending = Promise.withResolvers<boolean>();
    const first = join(invitation, pending.promise);
    await waitFor(({ joined }) => joined.length === 1);
    const second = join(invitation);
    await second.done;
    expect(second.code).toBe('INVITATION_REFUSED');
    await test.client.call('invites.withdraw', {});
    await first.done;
    expect([first.code, target.log.length]).toEqual(['INVITER_LOST', 0]);
  });

  it('expires, also for a computer whose user has not decided', async () => {
    const proposal = describeProposal(plan(), { feeds: {}, files: {}, digest: '' });
    if (proposal === null) throw new Error('the plan cannot be proposed');
    const expired = Promise.withResolvers<void>();
    const onChange = (): void => void (invitation?.state().closed === 'expired' && expired.resolve());
    let invitation: Invitation | null = null;
    invitation = await Invitation.open({ proposal, computers: 2, host: '127.0.0.1', port: 0, lifetimeMs: 1_000, onChange });
    const text = invitation.state().invitation;
    const undecided = join(text, new Promise<boolean>(() => {}));
    await expired.promise;
    await undecided.done;
    const late = join(text);
    await late.done;
    expect([undecided.code, late.code, late.asked, target.log.length]).toEqual(['INVITER_LOST', 'INVITER_UNREACHABLE', [], 0]);
    invitation.end('withdrawn');
  });

  it('sends nothing to a program that is not Holdfast, and closes the connection after 5 s of silence', async () => {
    const { port } = read(await invite(1));
    const received: Buffer[] = [];
    const plain = connectPlain(port, '127.0.0.1');
    plain.on('data', (chunk) => received.push(chunk)).on('error', () => {});
    plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const spoken = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    spoken.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {});
    spoken.write(`${'x'.repeat(2_000)}\n`);
    const silent = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    silent.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {});
    await Promise.all([plain, spoken, silent].map((socket) => waitForClose(socket)));
    // A TLS alert is all that a program without TLS gets.
    expect(Buffer.concat(received).length).toBeLessThanOrEqual(7);
    expect((await waitFor(({ strangers }) => strangers === 3)).joined).toEqual([]);
  });
});

describe('a hostile computer that knows the code', () => {
  /** Connects with the correct code and sends the first text. Sends the others once the inviting computer has greeted the agent. */
  async function sendAs(invitation: InvitationLine, [first = '', ...others]: readonly string[]): Promise<void> {
    const { socket } = await connectToInviter(invitation, leave.signal);
    const closed = waitForClose(socket);
    socket.on('error', () => {}).on('data', () => others.splice(0).forEach((text) => socket.write(text)));
    socket.write(first);
    await closed;
  }

  it.each<[string, readonly string[]]>([
    ['a line without an end before its decision', ['x'.repeat(10_000)]],
    ['more than a decision', ['{"type":"agreed"}\n{"type":"alive"}\n']],
    ['nonsense after its decision', ['{"type":"agreed"}\n', 'nonsense\n']],
    ['a line without an end after its decision', ['{"type":"agreed"}\n', ...Array.from({ length: 20 }, () => 'y'.repeat(1_000_000))]],
  ])('is dismissed and gets no load: %s', async (_what, texts) => {
    const state = await invite(1);
    const sending = sendAs(read(state), texts);
    const later = await waitFor(({ joined }) => joined[0]?.state === 'left');
    await sending;
    expect([readyNames(later), target.log.length]).toEqual([[], 0]);
    // Its place is free again.
    const honest = join(state.invitation);
    await waitFor((now) => readyNames(now).length === 1);
    await test.client.call('invites.withdraw', {});
    await honest.done;
    expect(honest.code).toBe('INVITER_LOST');
  });
});

describe('an invited computer', () => {
  it.each(['silent', 'HTTP', 'another certificate'])('sends no proof to another program: %s', async (kind) => {
    const state = await invite(1);
    const heard: Buffer[] = [];
    const stranger = createServer((socket) => {
      socket.on('error', () => {}).on('data', (chunk: Buffer) => heard.push(chunk));
      if (kind === 'HTTP') socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      if (kind === 'another certificate') socket.pipe(connectPlain(read(state).port, '127.0.0.1').on('error', () => {})).pipe(socket);
    });
    others.push(stranger);
    stranger.listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const address = stranger.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const invitation = read(state);
    const other = kind === 'another certificate' ? { fingerprint: 'A'.repeat(43) } : {};
    const computer = join(formatInvitation({ ...invitation, ...other, port }));
    await computer.done;
    expect([computer.code, computer.asked]).toEqual(['INVITER_OTHER', []]);
    expect(Buffer.concat(heard).includes('pair')).toBe(false);
    expect(target.log).toEqual([]);
  });

  it('connects to nothing if the entered text is not an invitation', async () => {
    for (const text of ['', 'http://a.example/', '127.0.0.1:1/ABCD/x', '10.0.0.1:99999/0123-4567-89AB/' + 'A'.repeat(43)]) {
      const computer = join(text);
      await computer.done;
      expect([text, computer.code]).toEqual([text, 'INVITATION_UNREADABLE']);
    }
  });
});
