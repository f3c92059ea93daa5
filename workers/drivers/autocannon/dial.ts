import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Endpoint } from './autocannonLoad.ts';

/** What becomes of a connection. The socket is told with it: one that was given up may still speak. */
export interface DialListener {
  onConnected(socket: Socket, host: string): void;
  onSecured(socket: Socket): void;
  /** `bytes` are valid during the call only. */
  onRead(socket: Socket, bytes: Buffer, length: number): void;
  onError(socket: Socket, error: Error): void;
  /** The other side sends no more, or the connection is gone. May be told twice. */
  onEnd(socket: Socket): void;
}

/** Opens a connection to one address of an endpoint. Plain connections read into `readBuffer`, which they may share. */
export function dial(endpoint: Endpoint, host: string, readBuffer: Buffer, listener: DialListener): Socket {
  const socket =
    endpoint.tlsName === null ? dialPlain(endpoint, host, readBuffer, listener) : dialTls(endpoint, endpoint.tlsName, host, listener);
  socket.on('connect', () => listener.onConnected(socket, host));
  socket.on('error', (error) => listener.onError(socket, error));
  socket.on('end', () => listener.onEnd(socket));
  socket.on('close', () => listener.onEnd(socket));
  return socket;
}

function dialPlain({ port }: Endpoint, host: string, buffer: Buffer, listener: DialListener): Socket {
  const callback = (length: number): boolean => {
    listener.onRead(socket, buffer, length);
    return true;
  };
  // Node would otherwise give up on an address after 250 ms and try another: a busy server would get two connections.
  const socket = connectPlain({ host, port, autoSelectFamily: false, onread: { buffer, callback } });
  return socket;
}

function dialTls({ port }: Endpoint, name: string, host: string, listener: DialListener): Socket {
  // Certificates are not verified by this engine; the plan's check says so to the person.
  const options = { host, port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] };
  const socket = connectTls(isIP(name) === 0 ? { ...options, servername: name } : options);
  socket.on('secureConnect', () => listener.onSecured(socket));
  socket.on('data', (chunk: Buffer) => listener.onRead(socket, chunk, chunk.length));
  return socket;
}
