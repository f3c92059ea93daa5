import type { ReceivedEvent, StageRecorder, StreamEnd } from '#workers/recorder.ts';
import type { EventListener } from './eventParser.ts';
import { EventNumbers, type EventReader } from './eventReader.ts';

/** Where a listener's record goes. */
export interface ListenerPlace {
  /** Of the step that opens the stream. */
  readonly slot: number;
  readonly reader: EventReader;
  now(): number;
  /** Where is recorded what comes at an instant: a stream outlives the stage that it was opened in. */
  recorderFor(atUs: number): StageRecorder;
}

/** What the recorder is told of one listener, over all streams that it holds after one another: what becomes of them, and what comes over them when. */
export class ListenerRecord implements EventListener {
  private readonly place: ListenerPlace;
  private readonly numbers = new EventNumbers();
  private openedUs = 0;
  private bytesUs = 0;
  /** 0 before the first event of a stream. */
  private eventUs = 0;
  /** Of the read whose bytes are being taken apart; 0 between reads. */
  private readUs = 0;
  private readWallUs = 0;
  private eventsInRead = 0;
  private readonly received: ReceivedEvent = {
    firstUs: null,
    gapUs: null,
    isTogether: false,
    delayUs: null,
    missed: 0,
    isRepeated: false,
    isLate: false,
  };

  constructor(place: ListenerPlace) {
    this.place = place;
  }

  opened(atUs: number, isAgain: boolean): void {
    this.openedUs = atUs;
    this.bytesUs = atUs;
    this.eventUs = 0;
    this.place.recorderFor(atUs).streamOpened(this.place.slot, atUs, isAgain);
  }

  ended(atUs: number, how: StreamEnd): void {
    const { place, openedUs, bytesUs } = this;
    place.recorderFor(atUs).streamEnded(place.slot, atUs, how, atUs - openedUs, atUs - bytesUs);
  }

  said(atUs: number): void {
    this.place.recorderFor(atUs).messageSent(this.place.slot, atUs);
  }

  /** Bytes are there to be taken apart; their instant, which is that of all events in them. */
  beginRead(): number {
    if (this.readUs === 0) {
      this.readUs = this.place.now();
      // In the middle of the millisecond, as instants in events are.
      this.readWallUs = Date.now() * 1_000 + 500;
    }
    return this.readUs;
  }

  /** All bytes of a read are taken apart, and the stream goes on. */
  heard(atUs: number): void {
    this.bytesUs = atUs;
    this.endRead();
  }

  /** All bytes of a read are taken apart. */
  endRead(): void {
    this.readUs = 0;
    this.eventsInRead = 0;
  }

  event(id: string, data: string): void {
    const { place, received, readUs, eventUs } = this;
    const { sentUs, number } = place.reader.read(id, data);
    const order = number === null ? null : this.numbers.take(number);
    received.isTogether = this.eventsInRead > 0;
    received.firstUs = eventUs === 0 ? readUs - this.openedUs : null;
    received.gapUs = eventUs === 0 || received.isTogether ? null : readUs - eventUs;
    received.delayUs = sentUs === null ? null : this.readWallUs - sentUs;
    received.missed = order?.missed ?? 0;
    received.isRepeated = order?.isRepeated ?? false;
    received.isLate = order?.isLate ?? false;
    this.eventsInRead += 1;
    this.eventUs = readUs;
    place.recorderFor(readUs).eventReceived(place.slot, readUs, received);
  }
}
