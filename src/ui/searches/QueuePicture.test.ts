import { describe, expect, it } from 'vitest';
import { countQueueAt, queueBoxes } from './QueuePicture.tsx';

describe('the picture of a queue', () => {
  it('serves one request per worker and round: 13 requests on one worker take 13 rounds, and so do 39 on three workers', () => {
    expect(Math.max(...queueBoxes(13, 1, 500).map(({ toMs }) => toMs))).toBe(6_500);
    expect(Math.max(...queueBoxes(39, 3, 500).map(({ toMs }) => toMs))).toBe(6_500);
    expect(queueBoxes(5, 2, 100).at(-1)).toEqual({ request: 5, worker: 0, fromMs: 200, toMs: 300 });
  });

  it('counts every request as either waiting, in progress or done at every time', () => {
    const boxes = queueBoxes(7, 3, 100);
    expect(countQueueAt(boxes, 0)).toEqual({ waiting: 4, working: 3, done: 0 });
    expect(countQueueAt(boxes, 150)).toEqual({ waiting: 1, working: 3, done: 3 });
    expect(countQueueAt(boxes, 300)).toEqual({ waiting: 0, working: 0, done: 7 });
  });
});
