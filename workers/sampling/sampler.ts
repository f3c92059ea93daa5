import { recordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Sample, Sampling } from '#core/work/samples/schema.ts';
import { glimpseOf, messageOfAnswer, messageOfRequest } from './messages.ts';

/** Of each kind of failure of each request. */
export const MOST_OF_A_KIND = 3;
/** Of one thread; errors with ever new names must not fill the memory. What is asked for of each journey is handed on at once. */
const MOST: Readonly<Record<Sampling, number>> = { failures: 60, everything: 1_000, journeys: Number.POSITIVE_INFINITY };
/** Of the messages of a journey that is tried; of what comes then, the beginning is told. In JSON a character may be six. */
const MOST_CHARACTERS = 4_000_000;
/** Bytes of an answer that are kept of failures: its head and the beginning of its body. */
const FAILURE_BYTES = 16_384;
const JOURNEY_BYTES = 1_048_576;

/** What is known of a request when it is settled. */
export interface Settled {
  readonly slot: number;
  /** null when the answer was good. */
  readonly failure: string | null;
  readonly sent: Buffer | null;
  /** As it came, as far as it was kept. */
  readonly received: Buffer | null;
  readonly serviceMs: number | null;
  readonly captured: readonly (readonly [string, string])[];
  /** null where nobody walks. */
  readonly user: number | null;
}

/** Keeps requests of one thread for people to look at: the first failures of each kind, or everything of a journey that is tried once. */
export class Sampler {
  /** Bytes of each answer that have to be kept for it. */
  readonly limitBytes: number;
  private readonly keepsAll: boolean;
  private readonly names: readonly string[];
  private readonly tell: (sample: Sample) => void;
  private readonly counts = new Map<string, number>();
  private readonly most: number;
  /** All samples travel as one answer. */
  private readonly toldAtOnce: boolean;
  private taken = 0;
  private told = 0;

  constructor(sampling: Sampling, plan: Plan, tell: (sample: Sample) => void) {
    this.keepsAll = sampling !== 'failures';
    this.toldAtOnce = sampling === 'everything';
    this.limitBytes = sampling === 'everything' ? JOURNEY_BYTES : FAILURE_BYTES;
    this.most = MOST[sampling];
    this.names = recordedRequests(plan).map(({ name }) => name);
    this.tell = tell;
  }

  /** Whether any more can be taken: nothing has to be kept for it otherwise. */
  get isOpen(): boolean {
    return this.taken < this.most;
  }

  wants(slot: number, failure: string | null): boolean {
    if (!this.isOpen) return false;
    if (this.keepsAll) return true;
    return failure !== null && (this.counts.get(`${slot} ${failure}`) ?? 0) < MOST_OF_A_KIND;
  }

  take({ slot, failure, sent, received, serviceMs, captured, user }: Settled): void {
    const kind = `${slot} ${failure ?? ''}`;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.taken += 1;
    const messages = this.withinBounds(
      sent && messageOfRequest(sent, this.limitBytes),
      received && received.length > 0 ? messageOfAnswer(received) : null,
    );
    this.tell({
      request: this.names[slot] ?? '',
      failure,
      ...messages,
      serviceMs,
      captured: captured.map(([name, value]) => ({ name, value })),
      ...(user === null ? {} : { user }),
    });
  }

  private withinBounds(sent: Sample['sent'], received: Sample['received']): Pick<Sample, 'sent' | 'received'> {
    if (!this.toldAtOnce) return { sent, received };
    if (this.told > MOST_CHARACTERS) return { sent: glimpseOf(sent), received: glimpseOf(received) };
    for (const message of [sent, received]) this.told += message === null ? 0 : message.head.length + message.body.length;
    return { sent, received };
  }
}
