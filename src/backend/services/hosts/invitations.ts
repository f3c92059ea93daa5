import type { Log } from '#backend/log.ts';
import type { HostService } from './hostService.ts';
import type { StreamItem } from '#contract/api.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { describeProposal } from '#core/review/proposal.ts';
import { jobDigest } from '#engine/jobDigest.ts';
import type { LoadJob } from '#engine/engine.ts';
import { Invitation } from '#backend/remote/invite/invitation.ts';
import type { LoadGenerator } from '../runs/loadGenerator.ts';
import { type PrepareParts, readInputs, requireValidPlan } from '../runs/prepareRun.ts';
import { resolveJob } from '../resolveJob.ts';
import { agentGenerator } from './hostGenerator.ts';
import { fileURLToPath } from 'node:url';
import { joinInvitation } from '#agent/join/joinInvitation.ts';
import type { JoinedRun } from '#contract/agent/invitation.ts';
import { type LoadLock, loadGoingError } from '../loadLock.ts';

/** Creates the services for inviting other computers and for joining the runs of other computers. */
export function createInvitationServices(parts: JoinServiceParts & InviteParts) {
  const invites = new InviteService(parts);
  const joins = new JoinService(parts);
  return {
    runParts: invites.runParts,
    calls: { ...invites.calls, ...joins.calls },
    streams: { ...invites.streams, ...joins.streams },
    close(): void {
      invites.close();
      joins.close();
    },
  };
}

interface OpenRequest {
  readonly plan: Plan;
  readonly computers: number;
  readonly host: string | null;
  readonly port: number;
}

interface InviteParts extends Pick<PrepareParts, 'secrets' | 'store' | 'version'> {
  readonly hosts: Pick<HostService, 'open'>;
  readonly log: Log;
}

/** Stands for any load generator other than this computer. */
const INVITED = 'invited-1';

/** Invites other computers to a run. Only one invitation is open at a time. */
class InviteService {
  readonly calls: Pick<CallHandlers, 'invites.open' | 'invites.withdraw'> = {
    'invites.open': async (request) => (await this.invite(request)).state(),
    'invites.withdraw': () => this.current?.end('withdrawn'),
  };

  readonly streams: Pick<StreamHandlers, 'invites.watch'> = {
    'invites.watch': (_nothing, sink) => {
      this.readers.add(sink);
      sink.item(this.state());
      return () => void this.readers.delete(sink);
    },
  };

  /** Lets runs use invited computers as well as hosts. */
  readonly runParts: Pick<PrepareParts, 'openHost' | 'isInvited'>;

  private readonly parts: InviteParts;
  private readonly readers = new Set<Sink<StreamItem<'invites.watch'>>>();
  private current: Invitation | null = null;

  constructor(parts: InviteParts) {
    this.parts = parts;
    const isInvited = (name: string): boolean => this.current?.has(name) === true;
    this.runParts = { isInvited, openHost: async (name) => (isInvited(name) ? this.open(name) : parts.hosts.open(name)) };
  }

  /** Returns an invited computer as a load generator for one run. Throws `INVITED_LEFT` unless the computer is ready. */
  private open(name: string): LoadGenerator {
    const { current } = this;
    const taken = current?.take(name) ?? null;
    if (current === null || taken === null) throw invitedLeft(name);
    const generator = agentGenerator(taken);
    return {
      ...generator,
      prepare: (job) => generator.prepare(withoutGrace(job)),
      close: () => current.dismiss(name),
    };
  }

  close(): void {
    this.current?.end('withdrawn');
  }

  private async invite({ plan, ...options }: OpenRequest): Promise<Invitation> {
    requireValidPlan(plan);
    const { version } = this.parts;
    const inputs = await readInputs(plan, [INVITED], this.parts);
    const job = withoutGrace(resolveJob(inputs.storable, { runId: '', version, ...inputs }));
    const proposal = describeProposal(job.plan, { ...job, digest: jobDigest(job) });
    if (proposal === null) throw notForInvited();
    this.close();
    const opened = await Invitation.open({ ...options, proposal, onChange: () => this.notifyReaders() });
    this.current = opened;
    this.parts.log.info('computers invited', { computers: options.computers });
    this.notifyReaders();
    return opened;
  }

  private state(): StreamItem<'invites.watch'> {
    return { invitation: this.current?.state() ?? null };
  }

  private notifyReaders(): void {
    const state = this.state();
    for (const sink of this.readers) sink.item(state);
  }
}

/** Removes the grace period, because the inviter cannot log in to an invited computer to end a load whose connection is lost. */
function withoutGrace(job: LoadJob): LoadJob {
  return { ...job, plan: { ...job.plan, graceSeconds: 0 } };
}

function notForInvited(): HoldfastError {
  return new HoldfastError({
    code: 'INVITE_UNFIT',
    message: 'Invited computers cannot send this load.',
    hint: `A Unix socket and the engine k6 are for ${THIS_COMPUTER} only, and a person there has to read at most 100 hosts, steps and stages.`,
  });
}

function invitedLeft(name: string): HoldfastError {
  return new HoldfastError({
    code: 'INVITED_LEFT',
    message: `${name} is not ready: its person has not agreed, it has left, or it has already sent its part of a run.`,
    hint: 'An invitation is for one run. Invite the computer again, or start the run without it.',
  });
}

interface Joining {
  run: JoinedRun;
  readonly leave: AbortController;
  readonly decision: PromiseWithResolvers<boolean>;
}

interface JoinServiceParts {
  readonly agentFile: URL;
  readonly lock: LoadLock;
  readonly log: Log;
}

/** Joins runs of other computers as a load generator, one at a time. The user agrees or declines on the page. */
class JoinService {
  readonly calls: Pick<CallHandlers, 'joins.start' | 'joins.decide'> = {
    'joins.start': ({ invitation }) => this.start(invitation),
    'joins.decide': ({ agrees }) => {
      if (this.current?.run.state === 'asked') this.current.decision.resolve(agrees);
      else if (!agrees) this.close();
    },
  };

  readonly streams: Pick<StreamHandlers, 'joins.watch'> = {
    'joins.watch': (_nothing, sink) => {
      this.readers.add(sink);
      sink.item({ run: this.current?.run ?? null });
      return () => void this.readers.delete(sink);
    },
  };

  private readonly parts: JoinServiceParts;
  private readonly readers = new Set<Sink<StreamItem<'joins.watch'>>>();
  private current: Joining | null = null;

  constructor(parts: JoinServiceParts) {
    this.parts = parts;
    parts.lock.register('join', () => (this.isActive ? loadGoingError('JOIN', 'This computer has joined the run of another one.') : null));
  }

  /** Leaves the run and stops the load of this computer. */
  close(): void {
    this.current?.leave.abort(new HoldfastError({ code: 'CANCELLED', message: 'This computer left the run.', hint: '' }));
  }

  private get isActive(): boolean {
    return this.current !== null && this.current.run.state !== 'ended';
  }

  private start(invitation: string): void {
    this.parts.lock.claim('join');
    const joining: Joining = {
      run: { state: 'connecting', proposal: null, sent: null, problem: null },
      leave: new AbortController(),
      decision: Promise.withResolvers(),
    };
    this.current = joining;
    const change = (changes: Partial<JoinedRun>): void => {
      joining.run = { ...joining.run, ...changes };
      for (const sink of this.readers) sink.item({ run: joining.run });
    };
    change({});
    void joinInvitation(invitation, {
      agentFile: fileURLToPath(this.parts.agentFile),
      signal: joining.leave.signal,
      agree: (proposal) => {
        change({ state: 'asked', proposal });
        return joining.decision.promise;
      },
      onWaiting: () => change({ state: 'waiting' }),
      onSent: (sent) => change({ state: 'running', sent }),
    }).then(
      () => change({ state: 'ended' }),
      (thrown: unknown) => {
        this.parts.log.failure('the run of another computer was left', thrown);
        const { code, message, hint } = toProblem(thrown);
        change({ state: 'ended', problem: { code, message, hint } });
      },
    );
  }
}
