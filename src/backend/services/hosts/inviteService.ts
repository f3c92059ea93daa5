import type { StreamItem } from '#contract/api.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { describeProposal } from '#core/review/proposal.ts';
import { Invitation } from '#backend/remote/invite/invitation.ts';
import type { Log } from '#backend/log.ts';
import type { LoadGenerator } from '../runs/loadGenerator.ts';
import { type PrepareParts, requireValidPlan } from '../runs/prepareRun.ts';
import { agentGenerator } from './hostGenerator.ts';
import type { HostService } from './hostService.ts';

interface OpenRequest {
  readonly plan: Plan;
  readonly computers: number;
  readonly host: string | null;
  readonly port: number;
}

/** Invites other computers to one run, over an invitation at a time. */
export class InviteService {
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

  /** What runs need to use invited computers beside hosts. */
  readonly runParts: Pick<PrepareParts, 'openHost' | 'isInvited'>;

  private readonly log: Log;
  private readonly readers = new Set<Sink<StreamItem<'invites.watch'>>>();
  private current: Invitation | null = null;

  constructor(hosts: Pick<HostService, 'open'>, log: Log) {
    this.log = log;
    const isInvited = (name: string): boolean => this.current?.has(name) === true;
    this.runParts = { isInvited, openHost: async (name) => (isInvited(name) ? this.open(name) : hosts.open(name)) };
  }

  /** Returns a computer that has joined as a load generator of one run. Throws `INVITED_LEFT` if it is no longer there. */
  private open(name: string): LoadGenerator {
    const { current } = this;
    const taken = current?.take(name) ?? null;
    if (current === null || taken === null) throw invitedLeft(name);
    const generator = agentGenerator(taken);
    return {
      ...generator,
      // Nobody can enter such a computer to end a load that lost its connection.
      prepare: (job) => generator.prepare({ ...job, plan: { ...job.plan, graceSeconds: 0 } }),
      close: () => current.dismiss(name),
    };
  }

  close(): void {
    this.current?.end('withdrawn');
  }

  private async invite({ plan, ...options }: OpenRequest): Promise<Invitation> {
    requireValidPlan(plan);
    const proposal = describeProposal(plan);
    if (proposal === null) throw notForInvited();
    this.close();
    const opened = await Invitation.open({ ...options, proposal, onChange: () => this.notifyReaders() });
    this.current = opened;
    this.log.info('computers invited', { computers: options.computers });
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
