/** A message with its number in its direction of the stream: the first is 1. */
export interface Numbered<Message> {
  readonly number: number;
  readonly message: Message;
}

/**
 * One end of a stream of messages in both directions that outlives the connections that carry it. What is said is numbered and kept until the other
 * end has told that it was heard, and what is heard is delivered in order and once. A connection has to carry messages in order and may break
 * off anywhere: on the next one each end tells how far it has heard, and the other says the rest again.
 */
export class ResumableStream<Said, Heard> {
  private readonly deliver: (message: Heard) => void;
  private kept: Numbered<Said>[] = [];
  private lastSaid = 0;
  private lastHeard = 0;

  constructor(deliver: (message: Heard) => void) {
    this.deliver = deliver;
  }

  /** Number of the last message that has come; 0 before the first. */
  get heard(): number {
    return this.lastHeard;
  }

  /** Whether everything that was said is known to have been heard. */
  get isSettled(): boolean {
    return this.kept.length === 0;
  }

  /** Gives a message its number. It is to be sent now if there is a connection, and else with the next one. */
  say(message: Said): Numbered<Said> {
    const numbered = { number: (this.lastSaid += 1), message };
    this.kept.push(numbered);
    return numbered;
  }

  /** Delivers what has come, unless it has come before. Throws `RangeError` when there is a gap before it. */
  take({ number, message }: Numbered<Heard>): void {
    if (number <= this.lastHeard) return;
    if (number !== this.lastHeard + 1) throw new RangeError(`message ${number} instead of ${this.lastHeard + 1}`);
    this.lastHeard = number;
    this.deliver(message);
  }

  /** The other end has heard everything up to this number. Throws `RangeError` when that was never said. */
  settle(number: number): void {
    if (number > this.lastSaid) throw new RangeError(`message ${number} was heard, and ${this.lastSaid} was the last`);
    this.kept = this.kept.filter((waiting) => waiting.number > number);
  }

  /** What is to be said again on a new connection to an end that has heard everything up to this number. Throws `RangeError` when that cannot be. */
  resumeAfter(number: number): readonly Numbered<Said>[] {
    if (number < this.lastSaid - this.kept.length) throw new RangeError(`messages after ${number} were heard before`);
    this.settle(number);
    return this.kept;
  }
}
