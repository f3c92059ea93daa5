// A load worker whose recorder loses one response in a hundred, one event in a hundred and one end of a stream in a hundred. It loses the
// first of each hundred, so that short runs lose one too.
import { HotCell } from '#workers/hotCell.ts';
import { Recorder } from '#workers/recorder.ts';
import { ListenerRecord } from '#workers/streams/listenerRecord.ts';

const { recordResponse } = HotCell.prototype;
const { event, ended } = ListenerRecord.prototype;
const { begin } = Recorder.prototype;
let responses = 0;
let events = 0;
let ends = 0;

// A recorder for the warm-up has begun before. Its responses do not belong to the run, so counting starts again.
Recorder.prototype.begin = function countFromHere(originUs): void {
  responses = 0;
  begin.call(this, originUs);
};

HotCell.prototype.recordResponse = function dropOneInHundred(...response): void {
  responses += 1;
  if (responses % 100 !== 1) recordResponse.apply(this, response);
};

ListenerRecord.prototype.event = function dropOneInHundred(...reported): void {
  events += 1;
  if (events % 100 !== 1) event.apply(this, reported);
};

ListenerRecord.prototype.ended = function dropOneInHundred(...end): void {
  ends += 1;
  if (ends % 100 !== 1) ended.apply(this, end);
};

await import('#workers/loadWorker.ts');
