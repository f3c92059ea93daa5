/** Says whether something that ended may be started again: at most `most` times within any `windowMs`. */
export function restartLimit(most: number, windowMs: number): (nowMs: number) => boolean {
  const starts: number[] = [];
  return (nowMs) => {
    while (starts[0] !== undefined && nowMs - starts[0] >= windowMs) starts.shift();
    if (starts.length >= most) return false;
    starts.push(nowMs);
    return true;
  };
}
