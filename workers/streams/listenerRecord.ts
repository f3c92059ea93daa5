import type { ReceivedEvent, StageRecorder, StreamEnd } from '#workers/recorder.ts';
import type { EventListener } from './eventParser.ts';
import { EventNumbers, type EventReader } from './eventReader.ts';

/** Has the time of the current read. */
interface ReadTime {
  readonly readUs: number;
}

/** Returns the recorder for a time, because a stream may outlive the stage that opened it. */
interface Recorders {
  recorderFor(atUs: number): StageRecorder;
}

/**
 * One record that all listeners of the thread share. Separate records of ten thousand listeners would cause a cache miss for each event.
 */
const received: ReceivedEvent = {
  firstUs: null,
  gapUs: null,
  isTogether: false,
  delayUs: null,
  missed: 0,
  isRepeated: false,
  isLate: false,
};

/** Returns the wall-clock time at the middle of its millisecond, like times in events. */
const wallUs = (): number => Date.now() * 1_000 + 500;

/** Records the streams and events of one listener over its successive streams. */
export class ListenerRecord implements EventListener {
  private readonly requestIndex: number;
  private readonly reader: EventReader;
  private readonly reads: ReadTime;
  private readonly recorders: Recorders;
  private readonly numbers = new EventNumbers();
  private openedUs = 0;
  private bytesUs = 0;
  /** Time of the last event; 0 before the first event of a stream. */
  private eventUs = 0;

  /** `requestIndex` belongs to the step that opens the stream. */
  constructor(requestIndex: number, reader: EventReader, reads: ReadTime, recorders: Recorders) {
    this.requestIndex = requestIndex;
    this.reader = reader;
    this.reads = reads;
    this.recorders = recorders;
  }

  opened(atUs: number, isAgain: boolean): void {
    this.openedUs = atUs;
    this.bytesUs = atUs;
    this.eventUs = 0;
    this.recorders.recorderFor(atUs).streamOpened(this.requestIndex, atUs, isAgain);
  }

  ended(atUs: number, end: StreamEnd): void {
    const { openedUs, bytesUs } = this;
    this.recorders.recorderFor(atUs).streamEnded(this.requestIndex, atUs, end, atUs - openedUs, atUs - bytesUs);
  }

  messageSent(atUs: number): void {
    this.recorders.recorderFor(atUs).messageSent(this.requestIndex, atUs);
  }

  /** Notes that all bytes of a read were parsed and that the stream continues. */
  received(atUs: number): void {
    this.bytesUs = atUs;
  }

  event(id: string, data: string): void {
    const { requestIndex, eventUs } = this;
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
    this.recorders.recorderFor(readUs).eventReceived(requestIndex, readUs, received);
  }
}
