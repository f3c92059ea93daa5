import { fileURLToPath } from 'node:url';
import { joinInvitation } from '#agent/join/joinInvitation.ts';
import type { JoinedRun } from '#contract/agent/invitation.ts';
import type { StreamItem } from '#contract/api.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { Log } from '#backend/log.ts';
import { type LoadLock, loadGoingError } from '../loadLock.ts';

interface Joining {
  run: JoinedRun;
  readonly leave: AbortController;
  readonly decision: PromiseWithResolvers<boolean>;
}

export interface JoinServiceParts {
  readonly agentFile: URL;
  readonly lock: LoadLock;
  readonly log: Log;
}

/** Joins runs of other computers as a load generator, one at a time. The person decides on the page. */
export class JoinService {
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
