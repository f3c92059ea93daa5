/** A request on its worker, in time: both from 0, times in ms. */
export interface QueueBox {
  /** In the order in which they came, from 1. */
  readonly request: number;
  readonly worker: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Requests that come together and are worked on in their order, so many at a time, each as long: k of them take ⌈k / W⌉ · S. */
export function queueBoxes(requests: number, workers: number, serviceMs: number): QueueBox[] {
  return Array.from({ length: requests }, (_unused, index) => {
    const round = Math.floor(index / workers);
    return { request: index + 1, worker: index % workers, fromMs: round * serviceMs, toMs: (round + 1) * serviceMs };
  });
}

/** What there is to see at an instant. */
export function queueAt(
  boxes: readonly QueueBox[],
  atMs: number,
): { readonly waiting: number; readonly working: number; readonly done: number } {
  const done = boxes.filter(({ toMs }) => toMs <= atMs).length;
  const working = boxes.filter(({ fromMs, toMs }) => fromMs <= atMs && toMs > atMs).length;
  return { waiting: boxes.length - done - working, working, done };
}
