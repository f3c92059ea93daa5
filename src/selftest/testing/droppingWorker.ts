// A load worker whose recorder loses one response in a hundred.
import { HotCell } from '#workers/hotCell.ts';

const { countAnswer } = HotCell.prototype;
let seen = 0;

HotCell.prototype.countAnswer = function dropOneInHundred(...answer): void {
  seen += 1;
  if (seen % 100 !== 1) countAnswer.apply(this, answer);
};

await import('#workers/loadWorker.ts');
