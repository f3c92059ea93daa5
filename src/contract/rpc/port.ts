/**
 * One end of a connection that carries text frames in order: a WebSocket, the Electron relay, or an in-process pair. It does not depend on
 * the calls.
 */
export interface Port {
  send(frame: string): void;
  onFrame(listener: (frame: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
  /** Number of bytes passed to `send` and not sent; 0 if unknown. Used to decide when to merge the items of a slow reader. */
  readonly unsentBytes: number;
}

/** Returns two connected ports: a frame sent on one arrives at the other in a later microtask. */
export function portPair(): [Port, Port] {
  const ends = [new MemoryPort(), new MemoryPort()] as const;
  ends[0].other = ends[1];
  ends[1].other = ends[0];
  return [ends[0], ends[1]];
}

class MemoryPort implements Port {
  other: MemoryPort | undefined;
  readonly unsentBytes = 0;
  private closed = false;
  private readonly frameListeners: ((frame: string) => void)[] = [];
  private readonly closeListeners: (() => void)[] = [];

  send(frame: string): void {
    const { other } = this;
    if (this.closed || !other) return;
    void Promise.resolve().then(() => {
      if (!other.closed) for (const listener of other.frameListeners) listener(frame);
    });
  }

  onFrame(listener: (frame: string) => void): void {
    this.frameListeners.push(listener);
  }

  onClose(listener: () => void): void {
    this.closeListeners.push(listener);
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const listener of this.closeListeners) listener();
    this.other?.close();
  }
}
