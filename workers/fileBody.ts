import { closeSync, fstatSync, openSync, read as readFrom } from 'node:fs';
import type { Socket } from 'node:net';

/** A file that is sent from disk, as it was when the run started. */
export interface FilePiece {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A part of a body that is too large for memory. */
export type BodyPiece = Buffer | FilePiece;

export const FILE_VANISHED = 'FILE_VANISHED';
export const FILE_CHANGED = 'FILE_CHANGED';

const CHUNK_BYTES = 262_144;

/** Why a file can no longer be sent. */
class FileFault extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface BodyListener {
  wrote(bytes: number): void;
  sent(): void;
  /** Called if the file is not the same as at the start of the run. `isBegun`: whether a part of the file was already sent. */
  faulty(code: string, isBegun: boolean): void;
}

/** Sends one body from disk, chunk by chunk. A chunk is read when the socket has taken the one before. */
export class BodyWriter {
  isOver = false;
  private readonly pieces: readonly BodyPiece[];
  private readonly listener: BodyListener;
  private readonly opened = new Map<FilePiece, number>();

  constructor(pieces: readonly BodyPiece[], listener: BodyListener) {
    this.pieces = pieces;
    this.listener = listener;
  }

  /** Opens all files before anything is sent. Returns why one of them cannot be sent; null if all are unchanged. */
  open(): string | null {
    try {
      for (const piece of this.pieces) if (!Buffer.isBuffer(piece)) this.opened.set(piece, openPiece(piece));
      return null;
    } catch (thrown) {
      this.stop();
      return thrown instanceof FileFault ? thrown.code : FILE_VANISHED;
    }
  }

  start(socket: Socket): void {
    this.send(socket).then(
      () => {
        if (this.isOver) return;
        this.stop();
        this.listener.sent();
      },
      (thrown: unknown) => {
        if (this.isOver) return;
        this.stop();
        this.listener.faulty(thrown instanceof FileFault ? thrown.code : FILE_CHANGED, true);
      },
    );
  }

  stop(): void {
    this.isOver = true;
    for (const descriptor of this.opened.values()) closeSync(descriptor);
    this.opened.clear();
  }

  private async send(socket: Socket): Promise<void> {
    for (const piece of this.pieces) {
      if (Buffer.isBuffer(piece)) await this.put(socket, piece);
      else await this.sendFile(socket, piece);
    }
  }

  private async sendFile(socket: Socket, piece: FilePiece): Promise<void> {
    const chunkBuffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, piece.bytes));
    for (let position = 0; position < piece.bytes && !this.isOver;) {
      const descriptor = this.opened.get(piece);
      if (descriptor === undefined) return;
      const chunk = await readChunk(descriptor, chunkBuffer.subarray(0, piece.bytes - position), position);
      if (this.isOver) return;
      if (chunk.length === 0 || !isAsBefore(descriptor, piece)) throw new FileFault(FILE_CHANGED);
      position += chunk.length;
      await this.put(socket, chunk);
    }
  }

  private async put(socket: Socket, bytes: Buffer): Promise<void> {
    if (this.isOver) return;
    this.listener.wrote(bytes.length);
    // The callback is called for a destroyed socket, too. From then on, the chunk may be overwritten.
    await new Promise<void>((resolve) => {
      socket.write(bytes, () => resolve());
    });
  }
}

function openPiece(piece: FilePiece): number {
  let descriptor: number;
  try {
    descriptor = openSync(piece.path, 'r');
  } catch {
    throw new FileFault(FILE_VANISHED);
  }
  if (isAsBefore(descriptor, piece)) return descriptor;
  closeSync(descriptor);
  throw new FileFault(FILE_CHANGED);
}

function isAsBefore(descriptor: number, { bytes, modifiedMs }: FilePiece): boolean {
  const { size, mtimeMs } = fstatSync(descriptor);
  return size === bytes && mtimeMs === modifiedMs;
}

function readChunk(descriptor: number, into: Buffer, position: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readFrom(descriptor, into, 0, into.length, position, (error, bytesRead, buffer) => {
      if (error === null) resolve(buffer.subarray(0, bytesRead));
      else reject(error);
    });
  });
}
