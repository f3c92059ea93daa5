/** A message with its number in its direction, from 1. */
export interface NumberedMessage<Message> {
  readonly number: number;
  readonly message: Message;
}

/**
 * One end of a message stream that outlives its connections. Sent messages are numbered and kept until they are acknowledged; received ones
 * are delivered once and in order. A connection must preserve order and may break anywhere. On the next connection, each end reports its
 * last received message, and the other end repeats all later ones.
 */
export class ResumableStream<Sent, Received> {
  private readonly deliver: (message: Received) => void;
  private unacknowledged: NumberedMessage<Sent>[] = [];
  private lastSent = 0;
  private lastReceived = 0;

  constructor(deliver: (message: Received) => void) {
    this.deliver = deliver;
  }

  /** Number of the last received message; 0 before the first. */
  get received(): number {
    return this.lastReceived;
  }

  get isSettled(): boolean {
    return this.unacknowledged.length === 0;
  }

  /** Numbers a message, to be sent now or with the next connection. */
  enqueue(message: Sent): NumberedMessage<Sent> {
    const numbered = { number: (this.lastSent += 1), message };
    this.unacknowledged.push(numbered);
    return numbered;
  }

  /** Delivers a message unless it is a repetition. Throws a RangeError for a gap. */
  take({ number, message }: NumberedMessage<Received>): void {
    if (number <= this.lastReceived) return;
    if (number !== this.lastReceived + 1) throw new RangeError(`message ${number} instead of ${this.lastReceived + 1}`);
    this.lastReceived = number;
    this.deliver(message);
  }

  /** Removes acknowledged messages. Throws a RangeError if the number was never sent. */
  acknowledge(number: number): void {
    if (number > this.lastSent) throw new RangeError(`message ${number} was heard, and ${this.lastSent} was the last`);
    this.unacknowledged = this.unacknowledged.filter((waiting) => waiting.number > number);
  }

  /** Returns the messages to repeat after `number` on a new connection. Throws a RangeError if they are no longer kept. */
  resumeAfter(number: number): readonly NumberedMessage<Sent>[] {
    if (number < this.lastSent - this.unacknowledged.length) throw new RangeError(`messages after ${number} were heard before`);
    this.acknowledge(number);
    return this.unacknowledged;
  }
}
