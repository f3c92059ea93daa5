// A load worker whose recorder loses one response in a hundred.
import { HotCell } from '#workers/hotCell.ts';

const { recordResponse } = HotCell.prototype;
let seen = 0;

HotCell.prototype.recordResponse = function dropOneInHundred(...response): void {
  seen += 1;
  if (seen % 100 !== 1) recordResponse.apply(this, response);
};

await import('#workers/loadWorker.ts');
