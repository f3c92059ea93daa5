import type { ReceivedEvent, StageRecorder, StreamEnd } from '#workers/recorder.ts';
import type { EventListener } from './eventParser.ts';
import { EventNumbers, type EventReader } from './eventReader.ts';

/** Of the read whose bytes are being taken apart. */
interface Reads {
  readonly readUs: number;
}

/** Where is recorded what comes at an instant: a stream outlives the stage that it was opened in. */
interface Recorders {
  recorderFor(atUs: number): StageRecorder;
}

/** One for all listeners of the thread, filled in again and again: ten thousand of them would be as many more places in memory to go to for each event. */
const received: ReceivedEvent = {
  firstUs: null,
  gapUs: null,
  isTogether: false,
  delayUs: null,
  missed: 0,
  isRepeated: false,
  isLate: false,
};

/** In the middle of the millisecond, as instants in events are. */
const wallUs = (): number => Date.now() * 1_000 + 500;

/** What the recorder is told of one listener, over all streams that it holds after one another: what becomes of them, and what comes over them when. */
export class ListenerRecord implements EventListener {
  private readonly slot: number;
  private readonly reader: EventReader;
  private readonly reads: Reads;
  private readonly recorders: Recorders;
  private readonly numbers = new EventNumbers();
  private openedUs = 0;
  private bytesUs = 0;
  /** 0 before the first event of a stream. */
  private eventUs = 0;

  /** `slot`: of the step that opens the stream. */
  constructor(slot: number, reader: EventReader, reads: Reads, recorders: Recorders) {
    this.slot = slot;
    this.reader = reader;
    this.reads = reads;
    this.recorders = recorders;
  }

  opened(atUs: number, isAgain: boolean): void {
    this.openedUs = atUs;
    this.bytesUs = atUs;
    this.eventUs = 0;
    this.recorders.recorderFor(atUs).streamOpened(this.slot, atUs, isAgain);
  }

  ended(atUs: number, how: StreamEnd): void {
    const { openedUs, bytesUs } = this;
    this.recorders.recorderFor(atUs).streamEnded(this.slot, atUs, how, atUs - openedUs, atUs - bytesUs);
  }

  said(atUs: number): void {
    this.recorders.recorderFor(atUs).messageSent(this.slot, atUs);
  }

  /** All bytes of a read are taken apart, and the stream goes on. */
  heard(atUs: number): void {
    this.bytesUs = atUs;
  }

  event(id: string, data: string): void {
    const { slot, eventUs } = this;
    const { readUs } = this.reads;
    const { sentUs, number } = this.reader.read(id, data);
    const order = number === null ? null : this.numbers.take(number);
    received.isTogether = eventUs === readUs;
    received.firstUs = eventUs === 0 ? readUs - this.openedUs : null;
    received.gapUs = eventUs === 0 || received.isTogether ? null : readUs - eventUs;
    received.delayUs = sentUs === null ? null : wallUs() - sentUs;
    received.missed = order?.missed ?? 0;
    received.isRepeated = order?.isRepeated ?? false;
    received.isLate = order?.isLate ?? false;
    this.eventUs = readUs;
    this.recorders.recorderFor(readUs).eventReceived(slot, readUs, received);
  }
}
