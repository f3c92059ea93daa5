/** Calls soon, and then at most every so often, the last time included. */
export function throttle(work: () => void, everyMs: number): { call: () => void; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    call: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, everyMs);
    },
    cancel: () => clearTimeout(timer),
  };
}
