import { randomBytes } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import {
  CODE_ALPHABET,
  CODE_CHARACTERS,
  formatInvitation,
  INVITATION_MINUTES,
  type InvitationState,
  type JoinedComputer,
} from '#contract/agent/invitation.ts';
import type { ClockOffset } from '#core/plan/schema/hosts.ts';
import type { Proposal } from '#core/review/proposalSchema.ts';
import { pairingProof } from '#engine/pairingProof.ts';
import type { AgentChannel, AgentConnection } from '../agent/agentLink.ts';
import { AgentProcess, type Greeting } from '../agent/agentProcess.ts';
import { plainText } from '../ssh/problems.ts';
import { listOwnAddresses } from './ownAddresses.ts';
import { MAX_WRONG_CODES, PairingServer, readLine, sendToInvited } from './pairingServer.ts';

const INVITATION_MS = INVITATION_MINUTES * 60_000;
/** Maximum number of computers in the list. A computer that left and joins again is listed twice. */
const MAX_LISTED = 100;

export interface InvitationOptions {
  readonly proposal: Proposal;
  /** Number of computers that may join. */
  readonly computers: number;
  /** Address of this computer in the invitation; null: the first one that other computers may reach. */
  readonly host: string | null;
  /** 0: a free port. */
  readonly port: number;
  /** Time until the code expires; default: INVITATION_MINUTES. */
  readonly lifetimeMs?: number;
  /** Called when the state has changed. */
  onChange(): void;
}

/** A computer whose user has agreed and whose agent has replied. */
export interface JoinedAgent {
  readonly agent: AgentProcess;
  readonly greeting: Greeting;
  readonly clock: ClockOffset | null;
}

interface Joined {
  readonly socket: TLSSocket;
  shown: JoinedComputer;
  agent: JoinedAgent | null;
}

/** An invitation of other computers to one run, from the open port to the end of the run. */
export class Invitation {
  private readonly options: InvitationOptions;
  private readonly code = Array.from(randomBytes(CODE_CHARACTERS), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join('');
  private readonly endsAtMs: number;
  private readonly expiry: NodeJS.Timeout;
  private readonly host: string;
  private readonly joined = new Map<string, Joined>();
  private server!: PairingServer;
  private port = 0;
  private closed: InvitationState['closed'] = null;
  private wrongCodes = 0;
  private strangers = 0;

  private constructor(options: InvitationOptions) {
    this.options = options;
    this.host = options.host ?? listOwnAddresses()[0] ?? '127.0.0.1';
    const { lifetimeMs = INVITATION_MS } = options;
    this.endsAtMs = Date.now() + lifetimeMs;
    this.expiry = setTimeout(() => this.close('expired'), lifetimeMs);
  }

  /** Opens the port. Throws `INVITATION_PORT`. */
  static async open(options: InvitationOptions): Promise<Invitation> {
    const opened = new Invitation(options);
    const { host, code } = opened;
    try {
      opened.server = await PairingServer.open({
        host,
        port: options.port,
        code,
        computers: options.computers,
        isFull: () => opened.listOpen().length >= options.computers || opened.joined.size >= MAX_LISTED,
        onPaired: (socket) => void opened.ask(socket),
        onWrongCode: () => opened.countWrongCode(),
        onStranger: () => {
          opened.strangers += 1;
          options.onChange();
        },
      });
    } catch (thrown) {
      clearTimeout(opened.expiry);
      throw thrown;
    }
    opened.port = opened.server.port;
    return opened;
  }

  get isOpen(): boolean {
    return this.closed === null;
  }

  state(): InvitationState {
    const { host, port, code, endsAtMs, closed, wrongCodes, strangers } = this;
    const { fingerprint } = this.server;
    return {
      invitation: formatInvitation({ host, port, code, fingerprint }),
      code,
      fingerprint,
      proposal: this.options.proposal,
      otherHosts: listOwnAddresses().filter((address) => address !== host),
      computers: this.options.computers,
      endsAtMs,
      closed,
      joined: [...this.joined.values()].map(({ shown }) => shown),
      wrongCodes,
      strangers,
    };
  }

  /** Returns whether a load generator of this name has joined. */
  has(name: string): boolean {
    return this.joined.has(name);
  }

  /** Hands over a computer to the run, and closes the invitation to others. Returns null unless the computer is ready. */
  take(name: string): JoinedAgent | null {
    const joined = this.joined.get(name);
    if (joined?.agent == null || joined.shown.state !== 'ready') return null;
    this.close('running');
    this.change(joined, 'running');
    return joined.agent;
  }

  /** Dismisses a computer after its run. The invitation ends with the last running computer. */
  dismiss(name: string): void {
    const joined = this.joined.get(name);
    if (joined === undefined) return;
    this.leave(joined);
    if (![...this.joined.values()].some(({ shown }) => shown.state === 'running')) this.end('ended');
  }

  /** Closes the invitation and dismisses all computers. */
  end(because: 'withdrawn' | 'ended'): void {
    this.close(because);
    for (const joined of this.joined.values()) this.leave(joined);
  }

  /** Accepts no more computers, and dismisses those whose user has not decided yet. Of several reasons, the first is kept. */
  private close(because: NonNullable<InvitationState['closed']>): void {
    if (this.closed === null || (this.closed === 'running' && because === 'ended')) this.closed = because;
    clearTimeout(this.expiry);
    this.server.close();
    for (const joined of this.joined.values()) if (joined.shown.state === 'asked') this.leave(joined);
    this.options.onChange();
  }

  private countWrongCode(): void {
    this.wrongCodes += 1;
    if (this.wrongCodes >= MAX_WRONG_CODES) this.close('wrongCodes');
    this.options.onChange();
  }

  private listOpen(): Joined[] {
    return [...this.joined.values()].filter(({ shown }) => shown.state !== 'declined' && shown.state !== 'left');
  }

  /** Sends the proposal, and waits for the decision of the computer's user. */
  private async ask(socket: TLSSocket): Promise<void> {
    const name = `invited-${this.joined.size + 1}`;
    const address = socket.remoteAddress ?? 'unknown';
    const joined: Joined = { socket, agent: null, shown: { name, address, state: 'asked', hostname: null, cores: null } };
    this.joined.set(name, joined);
    this.options.onChange();
    socket.setNoDelay(true);
    // The loss of an agent is reported by its own connection.
    socket.on('close', () => {
      if (joined.agent === null) this.leave(joined);
    });
    sendToInvited(socket, { type: 'paired', proof: pairingProof(socket, this.code, 'inviter'), proposal: this.options.proposal });
    const decision = await readLine(socket, Math.max(1, this.endsAtMs - Date.now()));
    if (joined.shown.state !== 'asked') return;
    if (decision?.type !== 'agreed') return this.leave(joined, decision?.type === 'declined' ? 'declined' : 'left');
    await this.greet(joined);
  }

  private async greet(joined: Joined): Promise<void> {
    const { socket, shown } = joined;
    const agent = new AgentProcess(toConnection(shown.name, socket), toChannel(socket), null);
    agent.onLost(() => this.leave(joined));
    try {
      const greeting = await agent.greet();
      joined.agent = { agent, greeting, clock: await agent.measureClock() };
      joined.shown = { ...shown, hostname: plainText(greeting.hostname, 100), cores: greeting.cores };
      if (socket.destroyed) this.leave(joined);
      else this.change(joined, 'ready');
    } catch {
      agent.close();
      this.leave(joined);
    }
  }

  private leave(joined: Joined, state: 'declined' | 'left' = 'left'): void {
    if (joined.shown.state === 'declined' || joined.shown.state === 'left') return;
    this.change(joined, state);
    if (joined.agent === null) joined.socket.destroy();
    else joined.agent.agent.close();
  }

  private change(joined: Joined, state: JoinedComputer['state']): void {
    joined.shown = { ...joined.shown, state };
    this.options.onChange();
  }
}

function toConnection(label: string, socket: TLSSocket): AgentConnection {
  // The end of the socket is also the end of its channel, which reports it.
  return { label, addLostListener: () => () => {}, close: () => socket.destroy() };
}

function toChannel(socket: TLSSocket): AgentChannel {
  return {
    get writableNeedDrain() {
      return socket.writableNeedDrain;
    },
    write: (text) => socket.write(text),
    end: () => socket.end(),
    destroy: () => socket.destroySoon(),
    on(event: string, listener: (...given: never[]) => void) {
      // The first argument of a socket's close event is an error flag, not an exit code as for an SSH channel.
      socket.on(event, event === 'close' ? () => listener() : (listener as () => void));
    },
  };
}
