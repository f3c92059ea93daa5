/**
 * One end of a connection that carries opaque text frames in order: WebSocket, Electron relay, or an in-process pair.
 * It knows bytes, not calls.
 */
export interface Port {
  send(frame: string): void;
  onFrame(listener: (frame: string) => void): void;
  onClose(listener: () => void): void;
  close(): void;
  /** Bytes handed to `send` that have not left yet; used to fold streams for a slow reader. 0 where it cannot be known. */
  readonly unsentBytes: number;
}

/** Two ports joined back to back: what one sends, the other receives, on a later microtask. */
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
