// A load worker whose recorder swaps the outcome of one response in a hundred.
import { HotCell } from '#workers/hotCell.ts';

const { recordResponse } = HotCell.prototype;
let seen = 0;

HotCell.prototype.recordResponse = function swapOneInHundred(outcome, ...rest): void {
  seen += 1;
  const swapped = outcome === 'ok' ? 'httpError' : 'ok';
  recordResponse.call(this, seen % 100 === 1 ? swapped : outcome, ...rest);
};

await import('#workers/loadWorker.ts');
